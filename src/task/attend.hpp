// attend.hpp: waiting, with an eye on explicit tasks.
//
// Why    A member that waits (for a barrier, for the next region, for its children) runs tasks
//        meanwhile. But nearly all regions have no tasks, and there waiting must cost no more than
//        it does without them.
// Rule   Poll for what is waited for. At each look at the clock (plat::wait_on), glance at the
//        termination detector; if there are tasks, look for one. Each look that finds none doubles
//        the polling before the next look. A task that is handed to this very member is seen at
//        once, and so is one of the member that it has stolen from last. A look begins with a guess
//        that writes nothing. For help() counts the member at work and off again in a word of the
//        team: when all members of a large team wait, these writes queue up, and those of members
//        that have tasks behind them. When the patience of the place is used up, sleep where the
//        thread that ends the wait will wake this member, and tell the team, so that a thread that
//        spawns a task can wake it, too.
// See    sleep.hpp: no wake-up is lost.
//
// A wait may end right after a task, with the member still counted at work in its termination
// detector.
//  T1 A member that sleeps must not be counted, unless it lies on top of a tied task: that task is
//     not done, so the epoch is not over anyway. Therefore the last look before each sleep goes on
//     until help() has found nothing; then help() has stopped counting the member.
// Memory order
//  T2 the loads of the word that is waited for are acquires. They pair with the release of the
//     thread that makes the word ready: G1 of sync/event_count.hpp for an event count's word, L1 of
//     termination.hpp and T1 of pending_count.hpp for others.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <utility>

#include "plat/plat.hpp"
#include "sync/barrier.hpp"
#include "sync/event_count.hpp"

namespace vicino::task {

// The member that waits.
template <class H>
concept Helper = requires(H& helper, sync::EventCount& event, bool (*done)()) {
  // Whether tasks were spawned in the present epoch.
  { helper.tasks_about() } -> std::same_as<bool>;
  // Where there seems to be a task, of the places where no other member looks, or where this one
  // looks first: a bit each. Asked at each poll.
  { helper.own_tasks() } -> std::same_as<unsigned>;
  // Whether help() might find a task: a guess from words that stay in this thread's cache while
  // nothing happens, without a write. True while the member is counted at work, or nobody would
  // stop counting it.
  { helper.may_find() } -> std::same_as<bool>;
  // A look was due, and there was no task in sight. help() does the same when it finds none.
  { helper.look_in_vain() } -> std::same_as<void>;
  // Runs a task if there is one that may run here; false if there was none, or if the wait is over:
  // T1 holds then.
  { helper.help() } -> std::same_as<bool>;
  // sleep_in()
  { helper.sleep(event, done) } -> std::same_as<bool>;
};

// Decides when a member that waits looks for tasks.
template <Helper H>
class Look {
 public:
  explicit Look(H& helper) noexcept : helper_(helper) {}

  // Whether such a task has come since the last look or glance. Called at each poll.
  bool is_called() noexcept { return (helper_.own_tasks() & ~own_) != 0; }
  // Whether a look is due. Called about once a microsecond.
  bool due() noexcept {
    if (!helper_.tasks_about()) return false;
    const unsigned before = std::exchange(own_, helper_.own_tasks());
    if ((own_ & ~before) != 0) pause_ = 1;
    if (++glances_ < pause_) return false;
    glances_ = 0;
    return true;
  }
  // So looks come after about 1, 3, 7 and 15 us: search.hpp and sleep.hpp count four of them.
  void found_nothing() noexcept {
    pause_ = std::min(2 * pause_, 64);
    own_ = helper_.own_tasks();
  }
  void found_work() noexcept {
    pause_ = 1;
    own_ = helper_.own_tasks();
  }

 private:
  H& helper_;
  int glances_ = 0, pause_ = 1;
  unsigned own_ = 0;  // at the last look or glance
};

// One wait. Until ready(word), it goes through these states in turn: it polls, it looks for tasks
// once more, it sleeps.
template <Helper H, class Ready>
class Wait {
 public:
  Wait(H& helper, const plat::atomic<uint64_t>& word, sync::EventCount& event, Ready& ready,
       sync::Waiting waiting) noexcept
      : helper_(helper),
        word_(word),
        event_(event),
        ready_(ready),
        waiting_(waiting),
        look_(helper) {}

  void until_ready() noexcept {
    if (looks_ready()) return;
    while (!poll() && !run_dry() && !sleep()) {
    }
  }

 private:
  // T2
  bool is_ready() const noexcept { return ready_(word_.load(std::memory_order_acquire)); }
  bool looks_ready() noexcept { return ready_(seen_ = word_.load(std::memory_order_acquire)); }

  // True when the word is ready, false when the patience is used up.
  bool poll() noexcept {
    const sync::PatienceLimits& limits = waiting_.limits;
    plat::Budget budget = waiting_.patience.take_budget(limits);
    if (patience_is_up_) budget.ns = 0;
    if (first_slept_ == 0) start_budget_ = budget.ns;
    for (;;) {
      bool due = false;
      const uint64_t next = plat::wait_on(
          word_, seen_, budget, [&] { return due = look_.due(); },
          [&] { return look_.is_called() && (due = look_.due()); });
      waiting_.patience.polled(budget, limits);
      if (ready_(next)) return true;
      if (due) {
        if (help(budget)) return true;
      } else if (!sync::polls_on(next != std::exchange(seen_, next), budget, limits)) {
        return false;
      }
    }
  }

  // Looks for tasks while it polls. True when the word is ready.
  bool help(plat::Budget& budget) noexcept {
    bool found = false;
    if (helper_.may_find()) {
      while (helper_.help()) {
        found = true;
        if (is_ready()) return true;
      }
    } else {
      helper_.look_in_vain();
    }
    if (found) {
      look_.found_work();
      budget.ns = start_budget_;
    } else {
      look_.found_nothing();
    }
    return looks_ready();
  }

  // T1. A wait without patience has had no look before this one. True when the word is ready.
  bool run_dry() noexcept {
    if (helper_.tasks_about())
      while (helper_.help())
        if (is_ready()) return true;
    return false;
  }

  // True when the word is ready, false when the member woke for a task or for no reason.
  bool sleep() noexcept {
    constexpr uint64_t kSleptNs = 100'000;  // a shorter sleep means that it could not sleep
    const uint64_t before = plat::now();
    if (first_slept_ == 0) first_slept_ = before;
    const bool work = helper_.sleep(event_, [this] { return is_ready(); });
    if (looks_ready()) {
      waiting_.patience.slept(start_budget_ + (plat::now() - first_slept_), waiting_.limits);
      return true;
    }
    patience_is_up_ = !work && plat::now() - before >= kSleptNs;
    if (work) first_slept_ = 0;
    return false;
  }

  H& helper_;
  const plat::atomic<uint64_t>& word_;
  sync::EventCount& event_;
  Ready& ready_;
  const sync::Waiting waiting_;
  Look<H> look_;
  uint64_t seen_ = 0;
  uint64_t start_budget_ = 0, first_slept_ = 0;  // since it last ran a task
  bool patience_is_up_ = false;  // it slept, and woke for no reason: it looks, but does not poll
};

// Waits until ready(word), running tasks meanwhile. `event`: the event count at which the thread
// that makes the word ready wakes the waiter; often the event count whose word `word` is.
template <Helper H, class Ready>
void attend(H& helper, const plat::atomic<uint64_t>& word, sync::EventCount& event, Ready ready,
            sync::Waiting waiting) noexcept {
  Wait<H, Ready>(helper, word, event, ready, waiting).until_ready();
}

}  // namespace vicino::task
