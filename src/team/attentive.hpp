// attentive.hpp: how members of a team wait: with an eye on its explicit tasks (task/attend.hpp).
#pragma once

#include "task/attend.hpp"
#include "task/sleep.hpp"
#include "team/ready.hpp"
#include "team/tasks.hpp"

namespace vicino::team {

// A member, as task::attend() sees it.
struct Waiter {
  Member& member;

  bool tasks_about() const noexcept { return member.tasks_about(); }
  bool has_own() const noexcept { return !member.handed.empty(); }
  bool help() const noexcept { return team::help(member); }
  template <class Done>
  bool sleep(sync::Gate& bed, Done done) const noexcept {
    ++member.worker->counts().slept;
    member.worker->flush_heaps();
    // Release, for would_wake_for(): who looks at the task has what made it.
    member.asleep_on.store(member.tied, std::memory_order_release);
    return task::sleep_in(
        member.team->sleepers, member.sleeper, bed, done, [this] { return work_waits(member); },
        longest_sleep(member));
  }
};

// Waits until ready(word), running tasks meanwhile; whoever makes it ready wakes us at `bed`.
template <class Ready>
void attend(Member& member, const plat::atomic<uint64_t>& word, sync::Gate& bed, Ready ready,
            sync::Waiting waiting) noexcept {
  Waiter waiter{member};
  task::attend(waiter, word, bed, ready, waiting);
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
