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
#include "plat/plat.hpp"
#include "tune/choice.hpp"

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

// One execution that is timed for the tuner. Its threads count where the objective is not time: the invariants of
// metric/meter.hpp hold for start(), enter() and leave(), and taken().
class Timing {
 public:
  // The execution begins, with `parts` parts for threads to count in.
  void start(uint32_t parts) {
    start_meter(parts);
    start_ = plat::now();
  }
  // Likewise, but it has begun at `began`.
  void start(uint32_t parts, uint64_t began) {
    start_meter(parts);
    start_ = began;
  }
  uint64_t started() const noexcept { return start_; }
  bool counts() const noexcept { return meter_.is_on(); }

  // The calling thread's part begins and ends; without effect if nothing is counted.
  void enter(uint32_t part, ThreadCounter& own) {
    if (meter_.is_on()) [[unlikely]]
      meter_.enter(part, counter_of(own));
  }
  void leave(uint32_t part, ThreadCounter& own) {
    if (meter_.is_on()) [[unlikely]]
      meter_.leave(part, counter_of(own));
  }

  // What the execution, of `trip` iterations, has taken when it ended at `end`. None if the count of one of its
  // threads is not known.
  std::optional<tune::Taken> taken(uint64_t trip, uint64_t end = plat::now()) noexcept {
    tune::Taken taken{.ns = static_cast<double>(end - start_), .trip = trip};
    if (meter_.is_on()) [[unlikely]] {
      taken.amount = meter_.total();
      if (!taken.amount) return std::nullopt;
    }
    return taken;
  }

 private:
  // The meter stays off if the objective is time.
  void start_meter(uint32_t parts);
  // The calling thread's counter; null if the kernel refused it, or if one counter serves all
  // threads.
  static metric::Counter* counter_of(ThreadCounter& own);

  metric::Meter meter_;
  uint64_t start_ = 0;
};

// Called by ~Worker.
void close_counter(ThreadCounter& own) noexcept;
// Called in a child of fork(); `survivor` may be null.
void forget_counters(ThreadCounter* survivor) noexcept;

}  // namespace vicino::site
