// attend.hpp: waiting, with an eye on explicit tasks.
//
// Why    A member that waits, for a barrier, for the next region, for its children, runs tasks
//        meanwhile; but nearly all regions have none, and there waiting must cost what it did.
// Rule   Poll for what is waited for; at each look at the clock (plat::wait_on) glance at the
//        ledger; with work about, look for a task. Each look that finds none doubles the polling
//        before the next. A task that is handed to this very member is seen at once. When the
//        patience of the place is used up, sleep where whoever ends the wait will wake us, and tell
//        the team, so that who spawns a task can, too.
// See    sleep.hpp: no wake-up is lost.
//
// A wait may end right after a task, with the member still counted at work in its ledger.
//  T1 Asleep it must not be counted, unless it lies on top of a tied task: that is not done, so the
//     epoch is not over anyway. Therefore the last look before each sleep goes on until help() has
//     found nothing, which takes the member off.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <utility>

#include "plat/plat.hpp"
#include "sync/barrier.hpp"
#include "sync/gate.hpp"

namespace vicino::task {

// Who waits.
template <class H>
concept Helper = requires(H& helper, sync::Gate& bed, bool (*done)()) {
  // Whether tasks were spawned in the present epoch.
  { helper.tasks_about() } -> std::same_as<bool>;
  // Whether a task lies where no other member looks.
  { helper.has_own() } -> std::same_as<bool>;
  // Runs a task if there is one that may run here; false if there was none: T1 holds then.
  { helper.help() } -> std::same_as<bool>;
  // sleep_in()
  { helper.sleep(bed, done) } -> std::same_as<bool>;
};

// When to look for tasks, while there is nothing else to do.
template <Helper H>
class Look {
 public:
  explicit Look(H& helper) noexcept : helper_(helper) {}

  // A task of its own has come since it was asked whether a look is due. Asked all the time.
  bool is_called() noexcept { return !has_own_ && helper_.has_own(); }
  // Asked about once a microsecond.
  bool due() noexcept {
    if (!helper_.tasks_about()) return false;
    const bool had_own = std::exchange(has_own_, helper_.has_own());
    if (has_own_ && !had_own) pause_ = 1;
    if (++glances_ < pause_) return false;
    glances_ = 0;
    return true;
  }
  void found_nothing() noexcept { pause_ = std::min(2 * pause_, 64); }
  void found_work() noexcept { pause_ = 1; }

 private:
  H& helper_;
  int glances_ = 0, pause_ = 1;
  bool has_own_ = false;  // at the last glance
};

// Waits until ready(word), running tasks meanwhile. `bed`: where whoever makes it ready wakes us;
// often the gate that `word` is of.
template <Helper H, class Ready>
void attend(H& helper, const plat::atomic<uint64_t>& word, sync::Gate& bed, Ready ready,
            sync::Waiting waiting) noexcept {
  uint64_t seen = word.load(std::memory_order_acquire);
  if (ready(seen)) return;
  const sync::PatienceLimits& limits = waiting.limits;
  Look look(helper);
  uint64_t start_budget = 0, first_slept = 0;
  bool patience_is_up = false;  // it slept, and woke for no reason: to look, not to poll again
  for (;;) {
    plat::Budget budget = waiting.patience.take_budget(limits);
    if (patience_is_up) budget.ns = 0;
    if (first_slept == 0) start_budget = budget.ns;
    bool patient = true;
    while (patient) {
      bool due = false;
      const uint64_t next = plat::wait_on(
          word, seen, budget, [&] { return due = look.due(); },
          [&] { return look.is_called() && (due = look.due()); });
      waiting.patience.polled(budget, limits);
      if (ready(next)) return;
      if (due) {
        bool found = false;
        while (helper.help()) {
          found = true;
          if (ready(word.load(std::memory_order_acquire))) return;
        }
        if (found) {
          look.found_work();
          budget.ns = start_budget;
        } else {
          look.found_nothing();
        }
        seen = word.load(std::memory_order_acquire);
        if (ready(seen)) return;
      } else if (next != seen) {
        seen = next;  // it moved, but not for us: half the patience is left
        budget.ns /= 2;
      } else if (!budget.lost_core || limits.learned()) {
        patient = false;
      }
    }
    // T1. Waiting without patience has had no look before this one.
    if (helper.tasks_about())
      while (helper.help())
        if (ready(word.load(std::memory_order_acquire))) return;
    constexpr uint64_t kSleptNs = 100'000;  // less, and it could not sleep just then
    const uint64_t before = plat::now();
    if (first_slept == 0) first_slept = before;
    const bool work =
        helper.sleep(bed, [&] { return ready(word.load(std::memory_order_acquire)); });
    seen = word.load(std::memory_order_acquire);
    if (ready(seen))
      return waiting.patience.slept(start_budget + (plat::now() - first_slept), limits);
    patience_is_up = !work && plat::now() - before >= kSleptNs;
    if (work) first_slept = 0;
  }
}

}  // namespace vicino::task
