// perf.hpp: counters of perf_event_open(2).
//
// Why    Events of one group are counted at the same times, and one read() gives them all.
// Cost   a system call for each sample. (Where the counter's page is mapped, the counter could be
//        read without the kernel; but loops worth tuning take many times a system call.)
//
// If there are more events than the processor has counters, the kernel takes turns with them and
// tells for how long each was counted. So a difference is scaled: by the time between the samples
// over the part of it in which the group was counted.
#pragma once

#include <string>
#include <vector>

#include "metric/counter.hpp"
#include "metric/objective.hpp"

namespace vicino::metric {

struct PerfEvent {
  std::string name;  // as perf calls it
  uint32_t type;
  uint64_t config;
  double scale = 1;
};

struct PerfTarget {
  int process = 0;  // 0: the calling thread; -1: whatever runs on `cpu`
  int cpu = -1;     // -1: wherever the thread runs
};

// One group; its count is the sum of its events'.
Result<std::unique_ptr<Counter>> open_perf(const std::vector<PerfEvent>& events,
                                           PerfTarget target = {});

// Counters of threads, outside the kernel. The error names what was refused, and how.
Result<std::unique_ptr<Source>> perf_source(Objective objective);
// Counters of the first of these groups that the kernel grants.
Result<std::unique_ptr<Source>> perf_source(std::vector<std::vector<PerfEvent>> groups);

}  // namespace vicino::metric
