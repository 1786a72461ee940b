// crowd.hpp: whether other processes want the CPUs on which this one's threads would poll.
//
// Why    A thread that polls while another process waits for its core delays that process; and if
//        the thread that it waits for is the one without a core, it delays itself. Several such
//        processes take twice the time that their work needs. Where all CPUs are this process's, a
//        sleep and a wake-up for each wait cost a multiple of polling. So a program polls when it
//        is alone, and sleeps at once when it is not.
// Begin  A thread that polls loses its core for as long as only a time slice of another thread lasts,
//        and when it is back, more threads of the machine are ready than it has CPUs (a daemon that was
//        busy for a moment is asleep again), and the thread has for a while had to wait for a CPU for
//        as much of the time in which it wanted to run as beside equals. Processes of low priority take
//        less, and polling is better beside them: a thread that sleeps leaves them the CPU, and has to be
//        woken. (Nor does a virtual machine that stands still count: its threads do not wait for a CPU.)
//        Two teams that wait for their members every few microseconds seldom lose a whole slice to each other: a
//        thread takes the core that another one offers, or is woken there, and soon gives it back. So a core that was
//        lost for less counts as well.
// End    While the crowd is there, each thread that waits looks now and then whether it had to wait
//        for a CPU for a good part of the time in which it wanted to run, and whether there are
//        still too many ready threads. The crowd is over when for a while no thread has seen both.
//        (A thread that is woken on an idle CPU of a virtual machine waits for that CPU as well,
//        and if it sleeps often, for a good part of its time.)
// Trial  To take a CPU from a process of low priority takes so much of a short wait that the crowd
//        keeps itself up. What others take from a thread that polls, only polling shows. So the crowd
//        is ended for a trial, at pauses that grow while it is soon back.
// Part   A process that may not use all CPUs cannot tell by the number of ready threads. It knows
//        only how long its threads waited.
// Cost   nothing where no core is lost, but a load in a wait that begins to poll. In a crowd: a
//        look at the clock in each such wait, and about 5 us every RunDelay::kNs.
// Not    for threads that share cores with others of their own process: these lose whole slices to
//        each other. They are plat.hpp's `share_core`.
//
// Memory order: all relaxed. The state only says how to wait, and any answer is correct.
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
  // For so long after a sign of it, the crowd is taken to be there. Without the kernel's times only
  // polling shows whether it is still there.
  static constexpr uint64_t kHoldNs = 2 * RunDelay::kNs;
  static constexpr uint64_t kBlindNs = 100'000'000;
  static constexpr uint64_t kCalmNs = 1'000'000'000;  // hundreds of time slices
  // A longer window is that of a thread that seldom waits for anything, and its delay may lie too far back.
  static constexpr uint64_t kLongestNs = 100'000'000;

  // Whether a sign has been seen; look() says whether the crowd is still there.
  bool is_noted() const noexcept { return until_.load(std::memory_order_relaxed) != 0; }
  void note(uint64_t now) noexcept {
    const uint64_t known = until_.load(std::memory_order_relaxed);
    if (extend(now, known) && known == 0) plan_trial(now);
    has_equals_.store(true, std::memory_order_relaxed);
  }
  // Whether there was one in the last kCalmNs.
  bool was_there(uint64_t now) const noexcept {
    const uint64_t latest = latest_.load(std::memory_order_relaxed);
    return latest != 0 && now < latest + kCalmNs;
  }
  // For how long there has been a crowd so far. It grows with each note.
  uint64_t lasted_ns() const noexcept { return lasted_.load(std::memory_order_relaxed); }
  // In a child of fork(), which has one thread.
  void forget() noexcept {
    until_.store(0, std::memory_order_relaxed);
    trial_ended_.store(0, std::memory_order_relaxed);
    pause_.store(kFirstPauseNs, std::memory_order_relaxed);
    latest_.store(0, std::memory_order_relaxed);
    has_equals_.store(false, std::memory_order_relaxed);
    lasted_.store(0, std::memory_order_relaxed);
  }

  // `kernel` has times(), of the calling thread, and load(); `window` is the calling thread's.
  //
  // A thread that polls was away from its core for a time slice. Whether a crowd is there.
  bool lost_slice(uint64_t now, RunDelay& window, const auto& kernel) noexcept {
    const std::optional<Load> load = kernel.load();
    if (!may_be_crowded(load)) return false;
    const ThreadTimes times = read(kernel);
    if (is_blind() || is_back(now)) return window.restart(now, times), note(now), true;
    if (!window.shows_equals(now, times)) return false;
    note(now);
    return true;
  }
  // As above, for less than a time slice. It happens in each wait, so the kernel is asked if the window is due.
  void lost_moment(uint64_t now, RunDelay& window, const auto& kernel) noexcept {
    if (window.is_due(now)) lost_slice(now, window, kernel);
  }
  // Whether the crowd is there. The kernel is asked if the calling thread's window is due.
  bool look(uint64_t now, RunDelay& window, const auto& kernel) noexcept {
    uint64_t until = until_.load(std::memory_order_relaxed);
    if (until == 0) return false;
    if (window.is_due(now)) {
      const bool is_fresh = window.age(now) < kLongestNs;
      const bool waited = window.restart(now, read(kernel)).has_waited_much();
      if (now >= trial_at_.load(std::memory_order_relaxed)) return begin_trial(now, until);
      if (is_fresh && waited && may_be_crowded(kernel.load())) extend(now, until);
      until = until_.load(std::memory_order_relaxed);
    }
    if (now < until) return true;
    until_.compare_exchange_strong(until, 0, std::memory_order_relaxed);
    return false;
  }

 private:
  // In a trial the process may hardly get on, for some 50 ms: a thirtieth of the time at first, less than a hundredth in
  // the end. It was in vain if the crowd is back within so long.
  static constexpr uint64_t kFirstPauseNs = 1'600'000'000, kLongestPauseNs = 12'800'000'000,
                            kSoonNs = 200'000'000;

  // If nobody else has changed what is `known`.
  bool extend(uint64_t now, uint64_t known) noexcept {
    const uint64_t until = now + (is_blind() ? kBlindNs : kHoldNs);
    if (until <= known || !until_.compare_exchange_strong(known, until, std::memory_order_relaxed))
      return false;
    latest_.store(until, std::memory_order_relaxed);
    // The first sign counts alike with the kernel's times and without: nobody has seen more of the crowd.
    lasted_.fetch_add(now < known ? until - known : kHoldNs, std::memory_order_relaxed);
    return true;
  }
  // Equals that seemed to have left take the next slice at once; a process of nice 19 takes one in 280 ms.
  static constexpr uint64_t kBackNs = 20'000'000;
  bool is_back(uint64_t now) const noexcept {
    return has_equals_.load(std::memory_order_relaxed) &&
           now < latest_.load(std::memory_order_relaxed) + kBackNs;
  }
  bool begin_trial(uint64_t now, uint64_t until) noexcept {
    until_.compare_exchange_strong(until, 0, std::memory_order_relaxed);
    trial_ended_.store(now + kSoonNs, std::memory_order_relaxed);
    has_equals_.store(false, std::memory_order_relaxed);
    return false;
  }
  // When the crowd begins.
  void plan_trial(uint64_t now) noexcept {
    const bool in_vain = now < trial_ended_.load(std::memory_order_relaxed);
    const uint64_t pause =
        in_vain ? std::min(2 * pause_.load(std::memory_order_relaxed), kLongestPauseNs)
                : kFirstPauseNs;
    pause_.store(pause, std::memory_order_relaxed);
    trial_at_.store(now + pause, std::memory_order_relaxed);
  }

  static bool may_be_crowded(std::optional<Load> load) noexcept {
    return !load || load->ready > load->cpus;
  }
  bool is_blind() const noexcept { return blind_.load(std::memory_order_relaxed); }
  ThreadTimes read(const auto& kernel) noexcept {
    const ThreadTimes seen = kernel.times();
    if (seen.ran == 0) blind_.store(true, std::memory_order_relaxed);
    return seen;
  }

  std::atomic<uint64_t> until_{0};   // 0: no crowd
  std::atomic<uint64_t> latest_{0};  // the greatest until_
  std::atomic<uint64_t> lasted_{0};
  std::atomic<uint64_t> trial_at_{0};     // when the next trial begins
  std::atomic<uint64_t> trial_ended_{0};  // until then a crowd shows that the last one was in vain
  std::atomic<uint64_t> pause_{kFirstPauseNs};
  // A thread that polled has seen the crowd since the last trial.
  std::atomic<bool> has_equals_{false};
  std::atomic<bool> blind_{false};
};

// Whether this process has seen a crowd in the last Crowd::kCalmNs.
bool was_crowded(uint64_t now) noexcept;

}  // namespace vicino::plat
