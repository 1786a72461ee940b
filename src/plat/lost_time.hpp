// lost_time.hpp: what a thread can know of the CPU time that others took from it. Only the product has it: under the
// model checker and in the simulator each thread has a CPU of its own.
//
// Signs     No sign is enough alone (docs/design/waiting.md).
//   absence        Between two looks at the clock more time has passed than the instructions take. Free, where the
//                  clock is read anyway. It does not tell who had the core: another process, another thread of this
//                  one, or nobody, because a virtual machine stood still or the quota was used up.
//   run delay      thread_times(), RunDelay: for how long the thread was ready and had no CPU. A reading takes 4 us. It
//                  also counts how long an idle CPU takes to wake up.
//   ready threads  load(): how many threads of the machine want to run. 0.8 us. It counts an instant, knows no
//                  priorities, and says nothing where the process may not use all CPUs.
//   switch         detail::was_switched() of native/plat.hpp: the kernel has preempted the thread. 0.2 us. A thread
//                  that often sleeps is seldom preempted.
//   quota          was_throttled() of native/plat.hpp: the kernel has stopped the process. 10 to 25 us.
// Policies  What follows from a sign, and which signs it takes.
//   native/plat.hpp       CoreTime: a thread that polls goes to sleep, or holds its core before it offers it. Absence, and a
//                         switch or the quota.
//                         Between regions it sleeps also where threads of another runtime may wait for a CPU:
//                         ready threads, less those that take turns with a member (native/occupants.hpp).
//   sync/patience.hpp     Patience: the next waits at a place sleep at once. Absence, in several waits in a row.
//   native/crowd.hpp      Crowd: for Room and the report. Run delay and ready threads, after an absence.
//   native/shared_core.cpp  A thread that polls leaves its CPU to another of the process. Switches and run delay.
//   region/room.hpp       Room: regions get fewer threads. Run delay or what Crowd says, and ready threads.
//   team/crowd_watch.hpp  CrowdWatch: the thread leaves its node. Run delay.
//   loop/doacross.hpp     Posts: for a while the thread's waits take no turns by yield(). Absence; and by
//                         others_want() of region/doacross.cpp the quota and ready threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "plat/plat.hpp"

namespace vicino::plat {

// How long a thread ran, and how long it was ready to run and had no CPU: nanoseconds since it
// began.
struct ThreadTimes {
  uint64_t ran = 0, waited = 0;

  ThreadTimes operator-(const ThreadTimes& earlier) const noexcept {
    return {ran - earlier.ran, waited - earlier.waited};
  }
  // The time in which the thread wanted to run.
  uint64_t wanted() const noexcept { return ran + waited; }
  // For which part of wanted() it waited; wanted() may not be 0.
  double share_waited() const noexcept {
    return static_cast<double>(waited) / static_cast<double>(wanted());
  }
  // A thread with regions of 20 us that slept at each wait had waited for less than 0.02 of that time
  // where its program ran alone, and for more than 0.2 beside one or three copies of it.
  static constexpr double kMuch = 0.1;
  bool has_waited_much() const noexcept { return wanted() > 0 && share_waited() >= kMuch; }
};
// Of the calling thread; zeros where the kernel does not tell.
ThreadTimes thread_times() noexcept;

// A window of a thread's times: from one look at them to the next, or to the one that knows enough. Each policy has a
// window of its own for each thread, because their looks come at different moments: at waits, at regions, and seldom
// while a thread is away from its node.
class RunDelay {
 public:
  // A window is longer than time slices, so that a CPU shared by turns shows in each.
  static constexpr uint64_t kNs = 5'000'000;

  bool has_begun() const noexcept { return began_ != 0; }
  uint64_t age(uint64_t now) const noexcept { return now - began_; }
  bool is_due(uint64_t now) const noexcept { return now - looked_ >= kNs; }
  ThreadTimes so_far(ThreadTimes times) const noexcept { return times - since_; }
  // The next window begins. Returns what passed in this one.
  ThreadTimes restart(uint64_t now, ThreadTimes times) noexcept {
    began_ = looked_ = now;
    return times - std::exchange(since_, times);
  }
  // A look that tells others of equal weight from those of less. The window goes on until that is known.
  bool shows_equals(uint64_t now, ThreadTimes times) noexcept {
    if (!has_begun()) return restart(now, times), false;
    const double excess = excess_of(so_far(times));
    looked_ = now;
    if (excess > 0 && excess < kExcessNs) return false;
    restart(now, times);
    return excess > 0;
  }

 private:
  // A slice that is lost says little: a process of nice 19 gets a 70th of a CPU, and takes it in slices as long as any.
  // So what others take is compared with what a competitor of equal weight would take: a half of one CPU, or a third
  // where the kernel moves three threads over two. One of nice 5 takes a quarter. What is above kEqual is added up, from
  // zero on when it is below (Page's test of cumulative sums). Two slices of 4 ms one soon after the other are not yet a
  // crowd. Beside three equals a thread takes 13 ms to see it, beside one 30 ms.
  static constexpr double kEqual = 0.3;
  static constexpr double kExcessNs = 6e6;
  static double excess_of(ThreadTimes passed) noexcept {
    return static_cast<double>(passed.waited) - kEqual * static_cast<double>(passed.wanted());
  }

  uint64_t began_ = 0, looked_ = 0;
  ThreadTimes since_;
};

// How many threads of the machine, the calling one included, run or want to.
struct Load {
  int ready, cpus;
};
// Nothing where the process may not use all CPUs, or the kernel does not tell.
std::optional<Load> load() noexcept;
// How many CPUs the process may use.
void set_usable_cpus(int count) noexcept;
// How many of the process's threads are Vicino's, or use it.
void set_known_threads(int count) noexcept;
// Whether the process has others.
bool has_unknown_threads() noexcept;

// Whether no other thread of Vicino's is on that CPU, as far as is known (native/occupants.hpp).
bool is_free_for_this_thread(int cpu) noexcept;
// The calling thread ends.
void leave_cpu() noexcept;

// From now on was_throttled() asks this file, a control group's cpu.stat; called once.
void watch_quota(std::string_view stat_file);

// For how long the process has seen a crowd so far (native/crowd.hpp); each sign of one makes it longer.
uint64_t crowded_ns() noexcept;
// In a child of fork(): the crowd, and where the parent's threads were.
void forget_others() noexcept;

}  // namespace vicino::plat
