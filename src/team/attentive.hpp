// attentive.hpp: waiting in a team, with an eye on its explicit tasks.
//
// Why    A member that waits, for a barrier, for the next region, for its children, runs tasks
//        meanwhile; but nearly all regions have none, and there waiting must cost what it did.
// Rule   Poll for what is waited for; at each look at the clock (plat::wait_on) glance at the
//        ledger; with work about, look for a task. Each look that finds none doubles the polling
//        before the next. When the patience of the place is used up, sleep where whoever ends the
//        wait will wake us, and tell the team, so that who spawns a task can, too.
// See    task/sleep.hpp: no wake-up is lost.
#pragma once

#include "task/sleep.hpp"
#include "team/tasks.hpp"

namespace vicino::team {

// When to look for tasks, while there is nothing else to do.
class Look {
 public:
  explicit Look(Member& member) noexcept : member_(member) {}

  // Asked about once a microsecond.
  bool due() noexcept {
    if (!member_.tasks_about()) return false;
    if (++glances_ < pause_) return false;
    glances_ = 0;
    return true;
  }
  void found_nothing() noexcept { pause_ = std::min(2 * pause_, 64); }
  void found_work() noexcept { pause_ = 1; }

 private:
  Member& member_;
  int glances_ = 0, pause_ = 1;
};

template <class Done>
bool sleep_at(Member& member, sync::Gate& bed, Done done) noexcept {
  ++member.worker->counts().slept;
  member.worker->flush_heaps();
  member.asleep_on.store(member.tied, std::memory_order_relaxed);
  return task::sleep_in(member.team->sleepers, member.sleeper, bed, done,
                        [&member] { return work_waits(member); });
}

// Waits until ready(word), running tasks meanwhile. `bed`: where whoever makes it ready wakes us;
// often the gate that `word` is of.
template <class Ready>
void attend(Member& member, const plat::atomic<uint64_t>& word, sync::Gate& bed, Ready ready,
            sync::Waiting waiting) noexcept {
  uint64_t seen = word.load(std::memory_order_acquire);
  if (ready(seen)) return;
  const sync::PatienceLimits& limits = waiting.limits;
  Look look(member);
  for (;;) {
    const uint64_t start_budget = waiting.patience.take_budget(limits);
    plat::Budget budget{start_budget, 1, limits.share_core};
    bool patient = true;
    while (patient) {
      bool due = false;
      const uint64_t next = plat::wait_on(word, seen, budget, [&] { return due = look.due(); });
      if (budget.lost_core && limits.learned()) waiting.patience.lost_core();
      if (ready(next)) return;
      if (due) {
        bool found = false;
        while (help(member)) {
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
    // A last look. Waiting without patience has had none, and a member whose work has ended since
    // the last one is still counted at work: asleep, it would keep the epoch from ever being over.
    if (member.tasks_about())
      while (help(member))
        if (ready(word.load(std::memory_order_acquire))) return;
    const uint64_t start = plat::now();
    sleep_at(member, bed, [&] { return ready(word.load(std::memory_order_acquire)); });
    seen = word.load(std::memory_order_acquire);
    if (ready(seen)) return waiting.patience.slept(start_budget + (plat::now() - start), limits);
  }
}

template <class Ready>
void attend(Member& member, const plat::atomic<uint64_t>& word, sync::Gate& bed,
            Ready ready) noexcept {
  attend(member, word, bed, ready, member.waiting());
}

// For sync's barriers and hand-over.
struct Attentive {
  Member& member;
  sync::Waiting waiting;

  template <class Ready>
  uint64_t wait(sync::Gate& gate, Ready ready) const noexcept {
    // Left out of a region, a worker has no epoch; its last one's number may come again.
    if (&gate == &member.resume) member.ledger = nullptr;
    uint64_t seen = 0;
    attend(
        member, gate.word(), gate,
        [&](uint64_t word) { return ready(seen = sync::Gate::value_of(word)); }, waiting);
    return seen;
  }
};

}  // namespace vicino::team
