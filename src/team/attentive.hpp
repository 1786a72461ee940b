// attentive.hpp: waiting in a team, with an eye on its explicit tasks.
//
// Why    A member that waits, for a barrier, for the next region, for its children, runs tasks
//        meanwhile; but nearly all regions have none, and there waiting must cost what it did.
// Rule   Poll for what is waited for; at each look at the clock (plat::wait_on) glance at the
//        ledger; with work about, look for a task. Each look that finds none doubles the polling
//        before the next. When the patience of the place is used up, sleep where whoever ends the
//        wait will wake us, and tell the team, so that who spawns a task can, too.
//
// No wake-up is lost
//  A1 who spawns: pushes, light fence, reads Team::sleeping. Who goes to sleep: counts itself
//     there, heavy fence, looks at the deques. One of the two sees the other.
//  A2 in an epoch without tasks so far the heavy fence is left out: who goes to sleep counts
//     itself, then reads the ledger; the first to spawn writes the ledger, then reads the count.
//     All four are sequentially consistent.
//  A3 to wake is: take asleep_at away, nudge that gate. The sleeper has set it before it set the
//     gate's bit and looked again (Gate::doze), so either it sees what woke it, or the nudge finds
//     the bit or the futex another word.
//  A4 who is woken for a task takes back nothing: whoever took asleep_at has counted it out.
#pragma once

#include "team/tasks.hpp"

namespace vicino::team {

// When to look for tasks, while there is nothing else to do.
class Look {
 public:
  explicit Look(Member& member) noexcept : member_(member) {}

  // Asked about once a microsecond.
  bool due() noexcept {
    if (member_.ledger == nullptr || !member_.ledger->opened(member_.epoch)) return false;
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

// Sleeps at `bed` until done(), or until there may be a task to run: then the result is true.
template <class Done>
bool sleep_at(Member& member, sync::Gate& bed, Done done) noexcept {
  Team& team = *member.team;
  ++member.worker->counts().slept;
  member.worker->heap().flush();
  member.asleep_on.store(member.tied, std::memory_order_relaxed);
  member.asleep_at.store(&bed, std::memory_order_release);
  team.sleeping.fetch_add(1, std::memory_order_seq_cst);  // A1, A2
  bool work = false;
  do bed.doze([&] { return done() || (work = work_waits(member)); });
  while (!work && !done() && member.asleep_at.load(std::memory_order_relaxed) != nullptr);
  if (member.asleep_at.exchange(nullptr, std::memory_order_acquire) == nullptr) return true;  // A4
  team.sleeping.fetch_sub(1, std::memory_order_relaxed);
  return work;
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
    uint64_t seen = 0;
    attend(
        member, gate.word(), gate,
        [&](uint64_t word) { return ready(seen = sync::Gate::value_of(word)); }, waiting);
    return seen;
  }
};

}  // namespace vicino::team
