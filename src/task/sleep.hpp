// sleep.hpp: members of a team sleep for want of work, and are woken for it, each by itself.
//
// Why    A member that waits has two reasons to wake: what it waits for, which opens or nudges the
//        gate where it sleeps; and a task that it could run meanwhile, of which its gate knows
//        nothing. For the second it leaves word in the team where it sleeps.
// Cost   who makes a task ready: one load while nobody sleeps, and no fence of the CPU's. Who goes
//        to sleep: a heavy fence, if the team has tasks, and a look at what others have.
//
// Dozing = between the first and the last line of sleep_in(). Taken = dozing, but asleep_at is
// null. Invariants
//  S1 `sleeping` counts the members whose asleep_at is set, or is about to be set or counted out by
//     whoever changed it.
//  S2 a member sets its own asleep_at; whoever takes it away, itself or another, counts it out.
//  S3 `taken` is at least the number of members that were taken and have not come.
//  S4 who takes it from another nudges that gate after, and nobody else will: it was taken for a
//     task, and nobody is taken twice for one sleep.
// No wake-up is lost
//  A1 who makes a task ready: publishes it, light fence, reads `sleeping`. Who goes to sleep:
//     counts itself there, heavy fence, looks for tasks. One of the two sees the other.
//  A2 in an epoch without tasks so far the heavy fence is left out: who goes to sleep counts
//     itself, then reads the ledger; the first to spawn writes the ledger, then reads `sleeping`.
//     All four are sequentially consistent.
//  A3 a nudge leaves the gate's value alone. So one that was taken and nudged just before it would
//     sleep might find its word back, because another has set the sleepers' bit again. Who sets the
//     bit anew, that is after the nudge, sees by `taken` that somebody was taken and has not come
//     (G1 and G2 of the gate); then it does not sleep, but nudges, and polls until he has. It may
//     be at another gate: a member that waits for a region must not look at who is in the team.
//  A4 who is woken for a task takes back nothing: whoever took asleep_at has counted it out.
//  A5 one that is taken may have woken since it was looked at, and gone to sleep again on top of
//     another task. So who took it asks may() again, and if it may not, goes on to the next. What
//     it sleeps on top of was set before asleep_at, a release; taking that is an acquire.
//  A6 who may not sleep yet (A3) offers the core. One without patience comes again at once, and so
//     the one that was taken would wait for a time slice of each that comes between.
#pragma once

#include <concepts>
#include <cstdint>

#include "plat/plat.hpp"
#include "sync/gate.hpp"
#include "task/ledger.hpp"

namespace vicino::task {

// What a member shows while it sleeps.
struct Sleeper {
  plat::atomic<sync::Gate*> asleep_at{nullptr};  // to be woken there for a task
};

// What a team counts.
struct Sleepers {
  plat::atomic<int> sleeping{0};  // S1
  plat::atomic<int> taken{0};     // S3
};

template <class T>
concept Dormitory = requires(T& team, int i) {
  { team.size } -> std::convertible_to<int>;
  { team.sleeper(i) } -> std::same_as<Sleeper&>;
  { team.sleepers } -> std::same_as<Sleepers&>;
};

// Sleeps at `bed` until done(), or until there may be a task to run: then the result is true. May
// return early, and does after `most_ns`; the caller looks for work before it comes again.
// work_waits() is look_again() below.
template <class Done, class Look>
bool sleep_in(Sleepers& team, Sleeper& me, sync::Gate& bed, Done done, Look work_waits,
              uint64_t most_ns = plat::kForever) noexcept {
  const auto one_is_taken = [&team] { return team.taken.load(std::memory_order_relaxed) != 0; };
  if (one_is_taken()) return plat::yield(), false;        // A3, A6
  me.asleep_at.store(&bed, std::memory_order_release);    // A5
  team.sleeping.fetch_add(1, std::memory_order_seq_cst);  // A1, A2
  bool work = false;
  const auto taken = [&me] { return me.asleep_at.load(std::memory_order_relaxed) == nullptr; };
  do
    bed.doze(
        [&](bool first) {
          return done() || taken() || (work = (first && one_is_taken()) || work_waits());
        },
        most_ns);
  while (most_ns == plat::kForever && !work && !done() && !taken());
  if (me.asleep_at.exchange(nullptr, std::memory_order_acquire) == nullptr) {  // A4
    team.taken.fetch_sub(1, std::memory_order_relaxed);
    return true;
  }
  team.sleeping.fetch_sub(1, std::memory_order_relaxed);
  return work;
}

// The second look of who goes to sleep: whether offers(), asked while the caller is counted at work
// in its epoch's ledger. leave() ends that if it was not so before.
template <class Offers, class Leave>
bool look_again(Ledger& ledger, uint64_t epoch, bool& at_work, Offers offers,
                Leave leave) noexcept {
  const bool counted = at_work;
  if (!counted) {
    if (!ledger.enter(epoch)) return false;  // A2
    at_work = true;
  }
  plat::heavy_fence();  // A1
  const bool waits = offers();
  if (!counted) leave();
  return waits;
}

// Wakes the member if it sleeps and may(number) run the task that is ready; whether it did. That
// may have been another sleep than the one that was looked at (A5).
template <Dormitory T, class May>
bool wake(T& team, int number, May may) noexcept {
  Sleeper& other = team.sleeper(number);
  if (other.asleep_at.load(std::memory_order_acquire) == nullptr || !may(number)) return false;
  team.sleepers.taken.fetch_add(1, std::memory_order_relaxed);                           // S3
  sync::Gate* const bed = other.asleep_at.exchange(nullptr, std::memory_order_acq_rel);  // S2, A5
  if (bed == nullptr) {
    team.sleepers.taken.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  team.sleepers.sleeping.fetch_sub(1, std::memory_order_relaxed);
  bed->nudge();  // S4
  return true;
}

// A task is ready. Whoever sleeps and may(i) run it is woken; one of them, from number `from` on.
template <Dormitory T, class May>
[[gnu::noinline]] void wake_one(T& team, int from, May may) noexcept {
  for (int i = 0; i < team.size; ++i) {
    const int number = (from + i) % team.size;
    if (wake(team, number, may) && may(number)) return;  // A5
  }
}

template <class T>
bool anybody_sleeps(T& team) noexcept {
  plat::light_fence();                                                // A1
  return team.sleepers.sleeping.load(std::memory_order_seq_cst) > 0;  // A1, A2
}

template <Dormitory T, class May>
void wake_for_work(T& team, int from, May may) noexcept {
  if (anybody_sleeps(team)) [[unlikely]]
    wake_one(team, from, may);
}

// The same for one member, which alone may run it.
template <Dormitory T, class May>
void wake_for_its_work(T& team, int number, May may) noexcept {
  if (anybody_sleeps(team)) [[unlikely]]
    wake(team, number, may);
}

}  // namespace vicino::task
