// attentive.hpp: how members of a team wait: they run the team's explicit tasks meanwhile
// (task/attend.hpp).
#pragma once

#include "task/attend.hpp"
#include "task/sleep.hpp"
#include "tasking/help.hpp"
#include "team/late_start.hpp"
#include "team/worker.hpp"

namespace vicino::tasking {

using team::Member;
using team::Team;

// The member has looked for a task in vain. A wait looks after 1, 3, 7, 15 us and so on.
inline void look_in_vain(Member& member) noexcept {
  constexpr int kStarving = 4;
  team::TeamTasks& team = member.team->tasks;
  team.hunger.raise(member.tasks.hungry);
  if (++member.tasks.vain >= kStarving) team.starvation.raise(member.tasks.starving);
}
// It has found a task, or no longer waits (H2 of task/sleep.hpp).
inline void stop_looking(Member& member) noexcept {
  if (!member.tasks.hungry) return;
  team::TeamTasks& team = member.team->tasks;
  team.hunger.lower(member.tasks.hungry);
  team.starvation.lower(member.tasks.starving);
  member.tasks.vain = 0;
}

// A waiting member, as task::attend() and the barriers and hand-over of `sync` see it.
struct Attentive {
  Member& member;
  sync::Waiting waiting;
  bool in_region = true;
  const task::PendingCount* awaited = nullptr;  // help()

  explicit Attentive(Member& its) noexcept : member(its), waiting(its.waiting()) {}
  // For a wait between regions.
  Attentive(Member& its, sync::Waiting its_waiting) noexcept
      : member(its), waiting(its_waiting), in_region(false) {}

  // Waits until ready(word), running tasks meanwhile; the thread that makes the word ready wakes
  // the member at `event`.
  template <class Ready>
  void attend(const plat::atomic<uint64_t>& word, sync::EventCount& event,
              Ready ready) const noexcept {
    task::attend(*this, word, event, ready, waiting);
    stop_looking(member);
  }

  template <class Ready>
  uint64_t wait(sync::EventCount& event, Ready ready) const noexcept {
    // A worker that a region leaves out has no epoch; the number of its last epoch may come again
    // (src/task/README.md).
    if (&event == &member.resume) member.tasks.termination = nullptr;
    uint64_t seen = 0;
    attend(event.word(), event,
           [&](uint64_t word) { return ready(seen = sync::EventCount::value_of(word)); });
    return seen;
  }

  bool tasks_about() const noexcept { return member.tasks.are_about(); }
  unsigned own_tasks() const noexcept {
    return (member.tasks.handed.empty() ? 0u : 1u) | (victim_has_task() ? 2u : 0u);
  }
  // While this member is in a region the team keeps its members; between regions only a member that
  // is counted at work may look at the others, as help() does.
  bool may_find() const noexcept { return !in_region || tasking::may_find(member); }
  void look_in_vain() const noexcept { tasking::look_in_vain(member); }
  bool help() const noexcept { return tasking::help(member, awaited); }
  template <class Done>
  bool sleep(sync::EventCount& event, Done done) const noexcept {
    prepare_to_sleep(member);
    // Where members share cores, one that sleeps leaves no core idle.
    if (member.tasks.hungry && !waiting.limits.share_core)
      member.team->tasks.starvation.raise(member.tasks.starving);
    const bool watches = member.id == team::kWatcher;
    if (watches && watch(*member.team)) return false;
    const uint64_t pause = watches ? member.team->late.pause() : plat::kForever;
    member.asleep.on.store(member.tasks.tied, std::memory_order_release);  // R1 of ready.hpp
    Team& team = *member.team;
    return task::sleep_in(
        team.sleepers, member.asleep.sleeper, event,
        [&] { return done() || (watches && team.late.wants_watch()); },
        [this] { return work_waits(member); }, std::min(pause, longest_sleep(member)));
  }

 private:
  // A member that looks in vain is given a task soon, most likely by the one that it has stolen
  // from before.
  bool victim_has_task() const noexcept {
    const int victim = member.tasks.last_victim;
    return member.tasks.hungry && in_region && victim >= 0 && victim < member.team->size &&
           !member.team->member(victim).tasks.deque.seems_empty();
  }
};

}  // namespace vicino::tasking
