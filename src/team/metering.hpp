// metering.hpp: the counters that the tuner goes by (VICINO_OBJECTIVE), and whose they are.
//
// Why    A thread's counter is opened when the thread first takes part in a loop, taskloop or
//        region that is tuned, and closed with its Worker; the kernel may grant one and refuse the
//        next.
//
// fork(): the counters that a child inherits count its parent's threads. So it closes them all, and
// opens its own (forget_counters()); the list of them is the Cold lock's, which fork() holds, so it
// is whole. The machine's counter goes on: it counts for everybody and has no position in a file.
#pragma once

#include <cstdint>

#include "metric/meter.hpp"
#include "metric/objective.hpp"

namespace vicino::team {

class Worker;

// What all is tuned for: what was asked for, or time if that is not granted. The first call
// finds out, and says why not; it is made behind the guard of become_root().
metric::Objective objective();
// What takes less is too short to tune.
double shortest_tuned_ns();

// Before an execution by that many threads. The meter stays off if the objective is time.
void start_meter(metric::Meter& meter, uint32_t threads);
// The calling thread's; null if it could not be had, or if there is one for all threads.
metric::Counter* counter_of(Worker& worker);
// The calling thread's part begins and ends; nothing while the meter is off.
void enter(metric::Meter& meter, uint32_t part, Worker& worker);
void leave(metric::Meter& meter, uint32_t part, Worker& worker);

// By ~Worker.
void close_counter(Worker& worker) noexcept;
// In a child of fork(); `survivor` may be null.
void forget_counters(Worker* survivor) noexcept;

}  // namespace vicino::team
