// energy.hpp: what the machine's processors and memory use, by RAPL.
//
// Why    Two ways lead there: files of the power capping framework, which only root may read
//        mostly, and perf's power events, which want perf_event_paranoid below 1 or CAP_PERFMON.
//        The first that is granted is taken.
// Not    the program's alone: what other processes use is in it.
//
// A package's energy holds its cores'; its memory's is apart and added where the machine tells it.
// The counters step about once in a millisecond.
#pragma once

#include <string>

#include "metric/counter.hpp"

namespace vicino::metric {

// In joules. `root` is put before every path, for tests.
Result<std::unique_ptr<Counter>> open_powercap(const std::string& root = "");
Result<std::unique_ptr<Counter>> open_power_events(const std::string& root = "");

Result<std::unique_ptr<Source>> energy_source(const std::string& root = "");

}  // namespace vicino::metric
