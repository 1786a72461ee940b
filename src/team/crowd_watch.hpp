// crowd_watch.hpp: whether a thread that is kept in its near domain should leave it for a while, because
// the domain's CPUs are wanted by more threads than there are CPUs.
//
// Why    Another program may use the same node or cache group while others are idle. The kernel would
//        move a thread that it may move; one that has to stay runs at half its speed.
// How    The kernel counts how long a thread ran, and how long it was ready but had to wait for a
//        CPU. A thread that has waited for more than kCrowded of that time, twice running, leaves its
//        domain, and comes back after a while to look again. (Threads that have just been started all
//        wait for a moment.) If it waited away from home as well, being away is no
//        use: the whole machine is crowded, and the thread stays at home for longer each time.
// Where  it goes: anywhere that its team may run, also from a cache group, whose node has others. The
//        kernel looks for an idle CPU from the nearest ones on, cache group, node, machine, so it finds
//        one on the node if there is one; where a team has all CPUs of the node there is none. One more
//        thread than CPUs makes each wait for 1/5 of the time in a group of four, 1/3 in a group of two.
// Cost   a reading of the clock in each region; every kWindowNs one of the kernel's counts.
// Not    for a team with more threads than CPUs: its threads wait wherever they are.
#pragma once

#include <cstdint>

#include "base/backoff.hpp"
#include "plat/lost_time.hpp"

namespace vicino::team {

class CrowdWatch {
 public:
  using Times = plat::ThreadTimes;

  // A thread that leaves has its data on another node. So this is more than ThreadTimes::kMuch, and the window is longer
  // than RunDelay::kNs. Beside one busy thread on its CPU a thread waits for a half of the time.
  static constexpr double kCrowded = 0.25;
  static constexpr uint64_t kWindowNs = 10'000'000;
  // The window goes on if the thread wanted to run for less: one late wake-up would be a large share of it.
  static constexpr uint64_t kLeastNs = 2'000'000;
  // For how long the thread is away, and then at home if that was in vain. At first it is many time slices, and at the
  // most so long that looking again, which takes two windows, costs less than a hundredth.
  static constexpr uint64_t kShortestNs = 100'000'000, kLongestNs = 6'400'000'000;

  bool is_due(uint64_t now) const noexcept { return now >= due_; }

  // The thread is at home from now on.
  void restart(uint64_t now, Times times) noexcept {
    *this = {};
    due_ = now + kWindowNs;
    window_.restart(now, times);
  }

  // Whether the thread should be away from now on. Called when is_due().
  bool look(uint64_t now, Times times) noexcept {
    due_ = now + kWindowNs;
    if (window_.so_far(times).wanted() < kLeastNs) return away_;  // it was asleep
    const double share = window_.restart(now, times).share_waited();
    if (away_)
      come_back(now, share);
    else
      stay_or_leave(now, share);
    return away_;
  }

 private:
  void come_back(uint64_t now, double share) noexcept {
    away_ = false;
    if (share <= at_home_ / 2) return;  // it was better off away
    due_ = now + stay_ns_.lengthen();
    away_ns_.reset();
  }

  void stay_or_leave(uint64_t now, double share) noexcept {
    if (share <= kCrowded) {
      away_ns_.reset();
      stay_ns_.reset();
      suspects_ = false;
      return;
    }
    suspects_ = !suspects_;
    if (suspects_) return;
    away_ = true;
    at_home_ = share;
    due_ = now + away_ns_.lengthen();
  }

  using Pause = Backoff<kShortestNs, kLongestNs>;

  uint64_t due_ = 0;
  plat::RunDelay window_;
  double at_home_ = 0;  // the share of waiting that made the thread leave
  bool away_ = false;
  bool suspects_ = false;  // the last look found the node crowded
  Pause away_ns_;          // for how long it will leave
  Pause stay_ns_;          // for how long it will stay where leaving was in vain
};

}  // namespace vicino::team
