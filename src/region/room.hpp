// room.hpp: how many threads a region gets beside other processes, where it may have fewer than it asks for.
//
// Who    Regions with dyn-var but those of libraries that are known to go wrong, and regions of libraries that are known to
//        allow fewer threads.
// Why    Where other processes want the CPUs, the threads of a team are switched in and out and wait for
//        each other's turns: several copies of a program with a team each took nearly twice the time of
//        copies with one thread each (bench/crowded/clients.md). A team that leaves the others their CPUs
//        waits for nobody.
// Crowd  The machine is crowded if the others' ready threads and this process's team need more CPUs than it has,
//        and since the last look this thread has waited for a CPU for a good part of the time in which it
//        wanted to run, or another thread of the process has seen a crowd (plat/native/crowd.hpp).
//        Where nobody asked for dyn-var, the first time it has to have waited for as long as beside equals.
// Fewer  In a crowd the room becomes smaller at each look: it is what the other processes' threads leave, but
//        at least a half of what it was. So copies that all look end with as many threads each; a process
//        that gave up all at once would leave its CPUs to the next copy, for good.
// More   Without a crowd the room grows to what the others leave, when each look of a waiting period has seen
//        as much. If the crowd is soon back, the growth was in vain, and the next period is twice as long.
// Mask   A process that may not use all CPUs cannot count the others' threads. There the room is halved in a
//        crowd, and without one all of it is back after the waiting period.
// Steps  A team of 16 threads or more loses or gets an eighth of them at a time: a loop's tuner and its data
//        know teams of one size.
// Roots  Where several threads of the program lead teams, each has its part of the CPUs (leaders.hpp), under a quota too.
//        The other roots' threads do not count as others.
// Cost   a reading of the clock in each region with dyn-var or of a known library, and about 5 us for a look every
//        RunDelay::kNs.
// Not    for regions inside others; for bound threads (a primary thread alone on its place might share it with
//        that of another copy, beside idle CPUs); beside other processes under a quota, which sets the team's size;
//        and for cores that ranks lend. Ready threads of the process that are not OpenMP's count as others, and so do
//        threads of low priority.
#pragma once

#include <algorithm>
#include <climits>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/backoff.hpp"
#include "plat/lost_time.hpp"
#include "team/team.hpp"

namespace vicino::region {

// What a region gets that wants so many threads and may have so many.
inline int in_steps(int wanted, int most) noexcept {
  if (wanted <= most) return wanted;
  const int step = std::max(1, wanted / 8);
  return std::max(1, most - most % step);
}

// Of the thread that begins the regions; no other thread touches it.
class Room {
 public:
  // How many of `wanted` > 1 threads the region gets that begins now. `machine` has times(), of this thread;
  // crowded_ns(), which grows when a thread of the process sees a crowd; and the machine's load(), if that
  // can be known. `asked_for`: the region has dyn-var.
  int threads_of(int wanted, uint64_t now, bool asked_for, const auto& machine) noexcept {
    if (delay_.is_due(now)) look(now, asked_for, machine);
    return in_steps(wanted, room_);
  }
  // How many it has got in the end.
  void had(int threads) noexcept {
    last_ = threads;
    widest_ = std::max(widest_, threads);
  }

 private:
  static constexpr int kAll = INT_MAX;
  // Two looks at least have to see room, since the count of ready threads is an instant's. When a crowd is over for
  // good, the team has its threads back within the longest period.
  static constexpr uint64_t kFirstPeriodNs = 2 * plat::RunDelay::kNs;
  static constexpr uint64_t kLongestPeriodNs = 64 * kFirstPeriodNs;
  // A growth was in vain if the crowd is back within so long, which is many time slices of others. Where regions are
  // long there are few looks in that time: then it was in vain if the crowd is back within so many looks.
  static constexpr uint64_t kSoonNs = 100'000'000;
  static constexpr int kSoonLooks = 3;

  void look(uint64_t now, bool asked_for, const auto& machine) noexcept {
    ++looks_;
    const std::optional<plat::Load> load = machine.load();
    // Of the process's threads only this one is sure to be ready now. Those that poll count as others': then the room is
    // too small until the next looks.
    const bool may_be_crowded = !load || load->ready - 1 + widest_ > load->cpus;
    if (has_waited(now, asked_for, machine) && may_be_crowded)
      leave(now, load);
    else if (room_ != kAll)
      take(now, load);
    widest_ = 1;
  }

  // Since the last look. At the first one there is nothing to compare with.
  bool has_waited(uint64_t now, bool asked_for, const auto& machine) noexcept {
    const bool may_compare = delay_.has_begun();
    const bool only_for_equals = !asked_for && room_ == kAll;
    const plat::ThreadTimes times = machine.times();
    const bool waited = only_for_equals ? delay_.shows_equals(now, times)
                                        : delay_.restart(now, times).has_waited_much();
    const uint64_t crowded_ns = machine.crowded_ns();
    const bool seen_by_others = crowded_ns != std::exchange(crowded_ns_, crowded_ns);
    return may_compare && (waited || seen_by_others);
  }

  void leave(uint64_t now, std::optional<plat::Load> load) noexcept {
    const int left = load ? load->cpus - (load->ready - 1) : 1;
    const int room = std::max({1, left, widest_ / 2});
    begin_period(now);
    if (room >= room_) return;
    room_ = room;
    if (!has_grown_) return;
    const bool in_vain = now < grown_at_ + kSoonNs || looks_ <= kSoonLooks;
    period_.note(in_vain);
    has_grown_ = false;
  }

  // Without one, the last region's threads may still be awake.
  void take(uint64_t now, std::optional<plat::Load> load) noexcept {
    const int others = load ? load->ready - last_ : 0;
    const int seen = others <= 0 ? kAll : load->cpus - others;
    if (seen <= room_) return begin_period(now);
    least_seen_ = std::min(least_seen_, seen);
    if (now < period_began_ + period_.pause()) return;
    room_ = least_seen_;
    grown_at_ = now;
    has_grown_ = true;
    looks_ = 0;
    begin_period(now);
  }

  void begin_period(uint64_t now) noexcept {
    period_began_ = now;
    least_seen_ = kAll;
  }

  int room_ = kAll;
  int last_ = 1, widest_ = 1;  // threads of the last region, and most since the last look
  plat::RunDelay delay_;       // since the last look
  uint64_t crowded_ns_ = 0;    // at the last look
  int least_seen_ = kAll;      // in the waiting period, in which each look has seen more than room_
  uint64_t period_began_ = 0;
  Backoff<kFirstPeriodNs, kLongestPeriodNs> period_;
  uint64_t grown_at_ = 0;
  bool has_grown_ = false;  // and no crowd has been seen since
  int looks_ = 0;           // since then
};

// Whether regions ask if they belong to a known library (config/known_modules.hpp), whose regions leave room
// without dyn-var: since the first one that did. Before that the first kAsking of every kAsksEach regions of a thread ask:
// more than one of them, so that two regions in turn both do. So such libraries cost other programs nothing that can be
// seen. Relaxed: who reads it late asks a few regions later.
inline plat::atomic<bool> asks_for_known{false};
inline constexpr uint64_t kAsksEach = 256, kAsking = 16;

// `begun`: how many regions the thread has begun so far.
inline bool asks_now(uint64_t begun) noexcept {
  return begun % kAsksEach < kAsking || asks_for_known.load(std::memory_order_relaxed);
}

// Whether the region is of a library that goes wrong with fewer threads than it asks for: with dyn-var, too, it has all.
bool needs_all_threads(const void* function) noexcept;
// Whether a region that is to have fewer threads may: asked last, since another library may lie at the address of one
// that the thread knew.
bool may_have_fewer(const team::Member& parent, const void* function) noexcept;
// How many of `wanted` threads the region gets, which has dyn-var or may be a known library's; and how many a
// region has got in the end.
int threads_with_room(const team::Member& parent, const void* function, int wanted) noexcept;
void had_threads(int threads) noexcept;
// In a child of fork(), whose only thread this is.
void forget_room() noexcept;

}  // namespace vicino::region
