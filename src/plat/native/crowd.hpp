// crowd.hpp: whether other processes want the CPUs on which this one's threads would poll.
//
// Why    A thread that polls while another process waits for its core delays that process; and if
//        the thread that it waits for is the one without a core, it delays itself. Several such
//        processes take twice the time that their work needs. Where all CPUs are this process's, a
//        sleep and a wake-up for each wait cost a multiple of polling. So a program polls when it
//        is alone, and sleeps at once when it is not.
// Rule   A thread that polls and loses its core, for as long as only a time slice of another thread
//        lasts, looks how long it was ready to run and had no core. If that is where the time went,
//        a crowd is there. (A virtual machine that stands still loses time, too, but then no thread
//        waits for a core. Where its CPUs stand still one by one, threads that are woken wait for
//        them, and sleeping is right there, too.) While the crowd is there, each thread that waits looks now and then. The
//        crowd is over when for a while no thread has had to wait for a good part of the time in
//        which it wanted to run.
// Cost   alone, about 4 us every kFreshNs in a thread that polls. In a crowd: a look at the clock in
//        each wait, and about 4 us every CrowdWindow::kNs.
// Not    for threads that share cores with others of their own process: these lose whole slices to
//        each other. They are plat.hpp's `share_core`.
//
// Memory order: all relaxed. The state only says how to wait, and any answer is correct.
#pragma once

#include <atomic>
#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::plat {

// What one thread finds out.
class CrowdWindow {
 public:
  static constexpr uint64_t kNs = 5'000'000;
  static constexpr uint64_t kLongestNs = 100'000'000;  // of a thread that seldom waits
  static constexpr double kCrowded = 0.1;              // of the time in which it wanted to run

  bool is_older(uint64_t now, uint64_t ns) const noexcept { return now >= start_ + ns; }
  bool is_due(uint64_t now) const noexcept { return is_older(now, kNs); }
  // Whether the thread had to wait for a CPU since the window began; a window in which it had
  // nothing to do, or one that began long ago, tells nothing. The next one begins.
  bool shows_crowd(uint64_t now, ThreadTimes times) noexcept {
    const ThreadTimes passed = times - since_;
    const bool fresh = !is_older(now, kLongestNs);
    begin(now, times);
    return fresh && passed.wanted() > 0 && passed.share_waited() >= kCrowded;
  }
  // Whether the thread, which was away from its core for so long, waited for one meanwhile. The next
  // window begins.
  bool explains(uint64_t away, uint64_t now, ThreadTimes times) noexcept {
    const uint64_t waited = (times - since_).waited;
    begin(now, times);
    return waited >= away / 2;
  }
  void begin(uint64_t now, ThreadTimes times) noexcept {
    start_ = now;
    since_ = times;
  }

 private:
  uint64_t start_ = 0;
  ThreadTimes since_;
};

// What the process knows.
class Crowd {
 public:
  // For so long after a sign of it, the crowd is taken to be there. Without the kernel's times only
  // polling shows whether it is still there.
  static constexpr uint64_t kHoldNs = 2 * CrowdWindow::kNs;
  static constexpr uint64_t kBlindNs = 100'000'000;
  // A thread that polls has read its times at most so long before: what it waited earlier does not
  // explain why it lost its core.
  static constexpr uint64_t kFreshNs = 20'000'000;

  // Whether a sign has been seen; look() says whether the crowd is still there.
  bool is_noted() const noexcept { return until_.load(std::memory_order_relaxed) != 0; }
  void note(uint64_t now) noexcept {
    const uint64_t until = now + (is_blind() ? kBlindNs : kHoldNs);
    if (until > until_.load(std::memory_order_relaxed))
      until_.store(until, std::memory_order_relaxed);
  }
  template <class Times>
  void begin_to_poll(uint64_t now, CrowdWindow& window, Times times) noexcept {
    if (window.is_older(now, kFreshNs)) window.begin(now, read(times));
  }
  // A thread that polls was away from its core for a time slice. Whether a crowd is there.
  template <class Times>
  bool lost_slice(uint64_t now, uint64_t away, CrowdWindow& window, Times times) noexcept {
    if (!window.explains(away, now, read(times)) && !is_blind()) return false;
    note(now);
    return true;
  }
  // Whether the crowd is there. times() is called if the calling thread's window is due.
  template <class Times>
  bool look(uint64_t now, CrowdWindow& window, Times times) noexcept {
    uint64_t until = until_.load(std::memory_order_relaxed);
    if (until == 0) return false;
    if (window.is_due(now)) {
      if (window.shows_crowd(now, read(times))) note(now);
      until = until_.load(std::memory_order_relaxed);
    }
    if (now < until) return true;
    until_.compare_exchange_strong(until, 0, std::memory_order_relaxed);
    return false;
  }

 private:
  bool is_blind() const noexcept { return blind_.load(std::memory_order_relaxed); }
  template <class Times>
  ThreadTimes read(Times times) noexcept {
    const ThreadTimes seen = times();
    if (seen.ran == 0) blind_.store(true, std::memory_order_relaxed);
    return seen;
  }

  std::atomic<uint64_t> until_{0};  // 0: no crowd
  std::atomic<bool> blind_{false};
};

}  // namespace vicino::plat
