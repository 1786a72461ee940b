// metering.hpp: the counters that the tuner goes by (VICINO_OBJECTIVE), and which thread has which.
//
// Why    A thread's counter is opened when the thread first takes part in a loop, taskloop or
//        region that is tuned, and closed with the thread's Worker. The kernel may grant one
//        counter and refuse the next.
//
// fork(): the counters that a child inherits count its parent's threads. So the child closes them
// all (forget_counters()) and opens its own. The Cold lock protects the list of counters, and
// fork() holds that lock, so the child finds the list whole. The machine's counter stays open: it
// counts for every process and has no position in a file.
#pragma once

#include <cstdint>
#include <optional>

#include "metric/meter.hpp"
#include "metric/objective.hpp"

namespace vicino::site {

// A thread's own counter, kept by its Worker: no value before the first request, null if the kernel
// refused it.
using ThreadCounter = std::optional<metric::Counter*>;

// The objective that all sites are tuned for: the one that the user asked for, or time if the
// system does not grant that one. The first call finds out and says the reason; become_root() makes
// that call, under its lock (region/roots.cpp).
metric::Objective objective();
// An execution that takes less is too short to tune.
double shortest_tuned_ns();

// Called before an execution by `threads` threads. The meter stays off if the objective is time.
void start_meter(metric::Meter& meter, uint32_t threads);
// The calling thread's counter; null if the kernel refused it, or if one counter serves all
// threads.
metric::Counter* counter_of(ThreadCounter& own);
// The calling thread's part begins and ends; no effect while the meter is off.
void enter(metric::Meter& meter, uint32_t part, ThreadCounter& own);
void leave(metric::Meter& meter, uint32_t part, ThreadCounter& own);

// Called by ~Worker.
void close_counter(ThreadCounter& own) noexcept;
// Called in a child of fork(); `survivor` may be null.
void forget_counters(ThreadCounter* survivor) noexcept;

}  // namespace vicino::site
