// crowd.hpp: whether other processes want the CPUs on which this one's threads would poll.
//
// Why    Beside equals the threads of a team are switched in and out. Where the program allows it, its regions get fewer
//        threads (region/room.hpp), and the report says that others wanted the CPUs. How a thread waits does not depend on
//        it: that it learns from what its offers cost (native/plat.hpp).
// Sign   A thread that polls loses its core for as long as only a time slice of another thread lasts,
//        and when it is back, more threads of the machine are ready than it has CPUs (a daemon that was
//        busy for a moment is asleep again), and the thread has for a while had to wait for a CPU for
//        as much of the time in which it wanted to run as beside equals. Processes of low priority take
//        less. (Nor does a virtual machine that stands still count: its threads do not wait for a CPU.)
//        Two teams that wait for their members every few microseconds seldom lose a whole slice to each other: a
//        thread takes the core that another one offers, or is woken there, and soon gives it back. So a core that was
//        lost for less counts as well.
// Part   A process that may not use all CPUs cannot tell by the number of ready threads. It knows
//        only how long its threads waited.
// Cost   nothing where no core is lost; else about 5 us every RunDelay::kNs.
// Not    for threads that share cores with others of their own process: these lose whole slices to
//        each other. They are plat.hpp's `share_core`.
//
// Memory order: all relaxed. Any answer is correct.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <optional>

#include "plat/lost_time.hpp"

namespace vicino::plat {

// What the process knows.
class Crowd {
 public:
  // For so long after a sign of it, the crowd is taken to be there.
  static constexpr uint64_t kSignNs = 2 * RunDelay::kNs;
  static constexpr uint64_t kCalmNs = 1'000'000'000;  // hundreds of time slices

  // A sign.
  void note(uint64_t now) noexcept {
    const uint64_t until = now + kSignNs;
    uint64_t known = until_.load(std::memory_order_relaxed);
    if (until > known && until_.compare_exchange_strong(known, until, std::memory_order_relaxed))
      lasted_.fetch_add(std::min(until - known, kSignNs), std::memory_order_relaxed);
  }
  // Whether there was one in the last kCalmNs.
  bool was_there(uint64_t now) const noexcept { return is_within(kCalmNs, now); }
  // For how long there has been a crowd so far. It grows with each note.
  uint64_t lasted_ns() const noexcept { return lasted_.load(std::memory_order_relaxed); }
  // In a child of fork(), which has one thread.
  void forget() noexcept {
    until_.store(0, std::memory_order_relaxed);
    lasted_.store(0, std::memory_order_relaxed);
  }

  // `kernel` has times(), of the calling thread, and load(); `window` is the calling thread's.
  //
  // A thread that polls was away from its core for a time slice. Without the kernel's times that is enough.
  void lost_slice(uint64_t now, RunDelay& window, const auto& kernel) noexcept {
    const std::optional<Load> load = kernel.load();
    if (load && load->ready <= load->cpus) return;
    const ThreadTimes times = kernel.times();
    if (times.ran == 0) return note(now);
    if (is_within(kBackNs, now)) return window.restart(now, times), note(now);
    if (window.shows_equals(now, times)) note(now);
  }
  // As above, for less than a time slice. It happens in each wait, so the kernel is asked if the window is due.
  void lost_moment(uint64_t now, RunDelay& window, const auto& kernel) noexcept {
    if (window.is_due(now)) lost_slice(now, window, kernel);
  }

 private:
  // Equals that seemed to have left take the next slice at once; a process of nice 19 takes one in 280 ms.
  static constexpr uint64_t kBackNs = 20'000'000;
  // Whether the last crowd ended no longer ago.
  bool is_within(uint64_t ns, uint64_t now) const noexcept {
    const uint64_t until = until_.load(std::memory_order_relaxed);
    return until != 0 && now < until + ns;
  }

  std::atomic<uint64_t> until_{0};  // when the last crowd is over; 0: none so far
  std::atomic<uint64_t> lasted_{0};
};

// Whether this process has seen a crowd in the last Crowd::kCalmNs.
bool was_crowded(uint64_t now) noexcept;

}  // namespace vicino::plat
