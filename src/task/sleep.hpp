// sleep.hpp: members of a team that have no work sleep, and are woken for a task one by one.
//
// Why    A member that waits has two reasons to wake. One is what it waits for: the thread that
//        ends the wait advances or notifies the event count where the member sleeps. The other is a
//        task that the member could run meanwhile, of which its event count knows nothing. For the
//        second reason the member tells the team where it sleeps.
// Cost   the thread that makes a task ready: one load while no member sleeps, and no CPU fence. The
//        member that goes to sleep: a heavy fence, if the team has tasks, and a look at the tasks
//        of others.
//
// A sleep lasts from the first to the last line of sleep_in(). A member is *taken* if it is in a
// sleep and its asleep_at is null again: a thread has taken it for a task.
// Invariants
//  S1 `sleeping` is at least the number of members whose asleep_at is set: a member counts itself
//     before it sets asleep_at.
//  S2 a member sets its own asleep_at; the thread that clears it, the member or another, counts the
//     member out of `sleeping`.
//  S3 `taken` is at least the number of members that were taken and have not come back. The taking
//     thread adds to it before it clears asleep_at, a release; the member that was taken subtracts
//     after it has found asleep_at null, by an acquire.
//  S4 a thread that clears another member's asleep_at notifies the event count found there
//     afterwards, and no other thread will: the member was taken for a task, and no member is taken
//     twice for one sleep.
// No wake-up is lost
//  A1 a thread that makes a task ready publishes the task, passes a light fence, and reads
//     `sleeping` and, if that is not 0, the members' asleep_at. A member that goes to sleep counts
//     itself, sets its asleep_at, passes a heavy fence, and looks for tasks. One of the two sees
//     the other. The fence orders the member's writes as well as its look: a thread that has missed
//     one of the two has published the task before the look.
//  A2 in an epoch without tasks so far the heavy fence is left out: a member that goes to sleep
//     counts itself and sets asleep_at, then reads the termination detector; the first member to
//     spawn writes the termination detector, then reads `sleeping` and asleep_at. All are
//     sequentially consistent.
//  A3 a notify leaves the event count's value alone. So a member that was taken and notified just
//     before it would sleep might find its word unchanged, because another member has set the
//     sleepers bit again. This other member set the bit after the notify had cleared it, so it sees
//     by `taken` that a member was taken and has not come back (G1 and G2 of sync/event_count.hpp).
//     Then it dozes: it sleeps for kDozeNs at most, and if a member still has not come back, it
//     notifies. If it sees this only when it has set the bit to sleep for longer, it notifies at
//     once. The taken member may be at another event count; `taken` does not tell at which, because
//     a member that waits for a region must not look at which members the team has.
//  A4 a member that was woken for a task does not count itself out: the thread that cleared
//     asleep_at has done so.
//  A5 a member may have woken since a thread looked whether it may run the task, and gone to sleep
//     again on top of another task. So the thread that took it asks may() again; if the member may
//     not run the task, the thread goes on to the next member. What the member sleeps on top of was
//     set before asleep_at, a release; taking asleep_at is an acquire.
//  A6 a member that dozes (A3) leaves its CPU to the taken member, which may be ready to run behind
//     another thread: the kernel has a thread change its CPU only for one that is idle. With members
//     that yielded instead, four roots' regions on four CPUs took up to 1.2 times as long.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>

#include "base/line.hpp"
#include "plat/plat.hpp"
#include "sync/event_count.hpp"
#include "task/termination.hpp"

namespace vicino::task {

// What a member shows while it sleeps.
struct Sleeper {
  plat::atomic<sync::EventCount*> asleep_at{nullptr};  // to be woken there for a task
};

// What a team counts.
struct Sleepers {
  plat::atomic<int> sleeping{0};  // S1
  plat::atomic<int> taken{0};     // S3
};

// A member that makes tasks can ask whether others look for one in vain, or have for long. While nobody
// looks, a short task may be a call: nobody would take it; so a member asks for each task that it
// makes. Asking is a load of a flag, in a line that is written only when the first member begins to
// look in vain and when the last one ends. The flag is no promise: a member may read an old one.
// Nothing depends on it but speed, for a task that is a call is never one that another thread has
// to run, and one that is queued is offered as always (A1). So asking is relaxed.
// Invariants
//  H1 the count is the number of Idle values that have raised it and not lowered it.
//  H2 a member counts only while it waits, asleep or not, and runs no task: an Idle lives no longer
//     than a wait, and lowers the counts before a task that the member has found runs. A task that
//     yields does not wait: it has work, and in a loop it would write the count all the time.
//  H3 once nobody changes the count any more, the flag tells whether it is 0. A thread that moves
//     the count from or to 0 sets the flag by what it then reads there; after each store it reads
//     the count again, and stores again if that has changed meanwhile. These accesses are
//     sequentially consistent.
class Hunger {
 public:
  bool is_felt() const noexcept { return felt_.load(std::memory_order_relaxed); }

 private:
  friend class Idle;
  void raise() noexcept {
    if (hungry_.fetch_add(1, std::memory_order_seq_cst) == 0) tell();  // H1
  }
  void lower() noexcept {
    if (hungry_.fetch_sub(1, std::memory_order_seq_cst) == 1) tell();  // H1
  }
  bool any() const noexcept { return hungry_.load(std::memory_order_seq_cst) != 0; }
  void tell() noexcept {  // H3
    bool now = any();
    for (bool before = !now; now != before; now = any())
      felt_.store(before = now, std::memory_order_seq_cst);
  }

  alignas(kLinePair) plat::atomic<bool> felt_{false};
  alignas(kLinePair) plat::atomic<uint32_t> hungry_{0};
};

// A member that waits. It raises the team's `hunger` when its first look for a task fails and its
// `starvation` when it has looked for long, and lowers both when it has found a task or its wait
// ends.
class Idle {
 public:
  template <class Team>
  explicit Idle(Team& team) noexcept : hunger_(team.hunger), starvation_(team.starvation) {}
  ~Idle() { found(); }
  Idle(const Idle&) = delete;

  void look_in_vain() noexcept {
    if (vain_ == kStarving) return;
    if (++vain_ == 1) hunger_.raise();
    if (vain_ == kStarving) starvation_.raise();
  }
  // If it has looked in vain, that was long enough.
  void starve() noexcept {
    if (!is_hungry() || vain_ == kStarving) return;
    vain_ = kStarving;
    starvation_.raise();
  }
  void found() noexcept {
    if (!is_hungry()) return;
    hunger_.lower();
    if (vain_ == kStarving) starvation_.lower();
    vain_ = 0;
  }
  bool is_hungry() const noexcept { return vain_ != 0; }

 private:
  // A wait looks after 1, 3, 7, 15 us and so on (attend.hpp). To feed a member that starves, tasks
  // are queued that had better be calls: so it does not starve at its first looks.
  static constexpr int kStarving = 4;

  Hunger& hunger_;
  Hunger& starvation_;
  int vain_ = 0;  // looks in vain in a row, up to kStarving
};

template <class T>
concept Wakeable = requires(T& team, int i) {
  { team.size } -> std::convertible_to<int>;
  { team.sleeper(i) } -> std::same_as<Sleeper&>;
  { team.sleepers } -> std::same_as<Sleepers&>;
};

// How long a member dozes (A3). The taken one comes back within some microseconds, or after a time slice if
// it has to wait for a CPU. By default the kernel's timers are exact to this.
constexpr uint64_t kDozeNs = 50'000;

// Sleeps at the event count `event` until done(), or until there may be a task to run: then the
// result is true. May return early, and does after `most_ns`; the caller looks for work before it
// calls again. work_waits() is look_again() below.
template <class Done, class Look>
bool sleep_in(Sleepers& team, Sleeper& me, sync::EventCount& event, Done done, Look work_waits,
              uint64_t most_ns = plat::kForever) noexcept {
  const auto one_is_taken = [&team] { return team.taken.load(std::memory_order_relaxed) != 0; };
  const bool dozes = one_is_taken();  // A3, A6
  if (dozes) most_ns = std::min(most_ns, kDozeNs);
  team.sleeping.fetch_add(1, std::memory_order_seq_cst);  // S1, A1, A2
  me.asleep_at.store(&event, std::memory_order_seq_cst);  // A1, A2, A5
  bool work = false, set_bit = false;
  const auto taken = [&me] { return me.asleep_at.load(std::memory_order_relaxed) == nullptr; };
  do
    event.wait_once(
        [&](bool first) {
          set_bit = first;
          return done() || taken() || (work = (first && !dozes && one_is_taken()) || work_waits());
        },
        most_ns);
  while (most_ns == plat::kForever && !work && !done() && !taken());
  if (dozes && set_bit && one_is_taken()) event.notify();                      // A3
  if (me.asleep_at.exchange(nullptr, std::memory_order_acquire) == nullptr) {  // A4, S3
    team.taken.fetch_sub(1, std::memory_order_relaxed);
    return true;
  }
  team.sleeping.fetch_sub(1, std::memory_order_relaxed);
  return work;
}

// The second look of a member that goes to sleep: whether offers(), called while the member is at
// work. leave() ends that for a member that was not before.
template <class Offers, class Leave>
bool look_again(Epoch& epoch, Offers offers, Leave leave) noexcept {
  const bool was_at_work = epoch.is_at_work();
  if (!epoch.enter()) return false;  // A2
  plat::heavy_fence();               // A1
  const bool waits = offers();
  if (!was_at_work) leave();
  return waits;
}

// Wakes member `number` if it sleeps and may(number) run the task that is ready; true if it did.
// The member may have been in another sleep than when may() was called; both reads of asleep_at are
// acquires or more (A5).
template <Wakeable T, class May>
bool wake(T& team, int number, May may) noexcept {
  Sleeper& other = team.sleeper(number);
  if (other.asleep_at.load(std::memory_order_seq_cst) == nullptr || !may(number))  // A2, A5
    return false;
  team.sleepers.taken.fetch_add(1, std::memory_order_relaxed);  // S3
  sync::EventCount* const event =
      other.asleep_at.exchange(nullptr, std::memory_order_acq_rel);  // S2, S3, A5
  if (event == nullptr) {
    team.sleepers.taken.fetch_sub(1, std::memory_order_relaxed);
    return false;
  }
  team.sleepers.sleeping.fetch_sub(1, std::memory_order_relaxed);
  event->notify();  // S4
  return true;
}

// A task is ready. Wakes one of the members that sleep and may(i) run it, from number `from` on, or from 0 on
// if there is no such number.
template <Wakeable T, class May>
[[gnu::noinline]] void wake_one(T& team, int from, May may) noexcept {
  from = std::max(from, 0);
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

template <Wakeable T, class May>
void wake_for_work(T& team, int from, May may) noexcept {
  if (anybody_sleeps(team)) [[unlikely]]
    wake_one(team, from, may);
}

// As wake_for_work(), for a task that only this member may run.
template <Wakeable T, class May>
void wake_for_its_work(T& team, int number, May may) noexcept {
  if (anybody_sleeps(team)) [[unlikely]]
    wake(team, number, may);
}

}  // namespace vicino::task
