// energy.hpp: the energy that the machine's processors and memory use, by RAPL.
//
// Why    There are two ways to read it: files of the power capping framework, which mostly only
//        root may read, and perf's power events, which need perf_event_paranoid below 1 or
//        CAP_PERFMON. The first way that is granted is taken.
// Not    the program's energy alone: what other processes use is included.
//
// A package's energy includes its cores'. Its memory's is separate, and is added where the machine
// tells it. The counters step about once in a millisecond.
#pragma once

#include <string>

#include "metric/counter.hpp"

namespace vicino::metric {

// In joules. `root` is put before every path, for tests.
Result<std::unique_ptr<Counter>> open_powercap(const std::string& root = "");
Result<std::unique_ptr<Counter>> open_power_events(const std::string& root = "");

Result<std::unique_ptr<Source>> energy_source(const std::string& root = "");

}  // namespace vicino::metric
