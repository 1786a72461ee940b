// crowd.hpp: whether other processes want the CPUs on which this one's threads would poll.
//
// Why    A thread that polls while another process waits for its core delays that process; and if
//        the thread that it waits for is the one without a core, it delays itself. Several such
//        processes take twice the time that their work needs. Where all CPUs are this process's, a
//        sleep and a wake-up for each wait cost a multiple of polling. So a program polls when it
//        is alone, and sleeps at once when it is not.
// Rule   A crowd is there from when a thread that polls loses its core for as long as only a time
//        slice of another thread lasts. While it is there, each thread that waits looks now and
//        then how long it ran, and how long it was ready to run and had no core. The crowd is over
//        when for a while no thread has had to wait for a good part of the time.
// Cost   nothing where no crowd has been noticed, but a load in a wait that polls in vain. In a
//        crowd: a look at the clock in each such wait, and about 4 us every kWindowNs.
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

  bool is_due(uint64_t now) const noexcept { return now >= start_ + kNs; }
  // Whether the thread had to wait for a CPU since the window began; a window in which it had
  // nothing to do, or one that began long ago, tells nothing. The next one begins.
  bool shows_crowd(uint64_t now, ThreadTimes times) noexcept {
    const uint64_t waited = times.waited - since_.waited;
    const uint64_t wanted = waited + times.ran - since_.ran;
    const bool is_fresh = now < start_ + kLongestNs;
    start_ = now;
    since_ = times;
    return is_fresh && wanted > 0 &&
           static_cast<double>(waited) >= kCrowded * static_cast<double>(wanted);
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
  // For so long the core is not offered. A thread of low priority that would get little of the core
  // takes a whole time slice when the core is offered to it.
  static constexpr uint64_t kNoOfferNs = 100'000'000;

  bool is_here() noexcept { return until_.load(std::memory_order_relaxed) != 0 && look(); }
  void note(uint64_t now) noexcept {
    const bool blind = blind_.load(std::memory_order_relaxed);
    const uint64_t until = now + (blind ? kBlindNs : kHoldNs);
    if (until > until_.load(std::memory_order_relaxed))
      until_.store(until, std::memory_order_relaxed);
  }
  // A thread that polls has lost a time slice.
  void note_lost_slice(uint64_t now) noexcept {
    note(now);
    offers_from_.store(now + kNoOfferNs, std::memory_order_relaxed);
  }
  bool accepts_offers(uint64_t now) const noexcept {
    return now >= offers_from_.load(std::memory_order_relaxed);
  }
  // As is_here(), at a given time; times() is called if the thread's window is due.
  template <class Times>
  bool look(uint64_t now, CrowdWindow& window, Times times) noexcept {
    uint64_t until = until_.load(std::memory_order_relaxed);
    if (until == 0) return false;
    if (window.is_due(now)) {
      const ThreadTimes seen = times();
      if (seen.ran == 0) blind_.store(true, std::memory_order_relaxed);
      if (window.shows_crowd(now, seen)) note(now);
      until = until_.load(std::memory_order_relaxed);
    }
    if (now < until) return true;
    until_.compare_exchange_strong(until, 0, std::memory_order_relaxed);
    return false;
  }

 private:
  bool look() noexcept;

  std::atomic<uint64_t> until_{0};  // 0: no crowd
  std::atomic<bool> blind_{false};
  std::atomic<uint64_t> offers_from_{0};
};

}  // namespace vicino::plat
