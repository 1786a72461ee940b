// attentive.hpp: how members of a team wait: they run the team's explicit tasks meanwhile
// (task/attend.hpp).
#pragma once

#include <algorithm>

#include "task/attend.hpp"
#include "task/sleep.hpp"
#include "team/late_start.hpp"
#include "team/worker.hpp"
#include "topo/kept_core.hpp"

namespace vicino::tasking {

using team::Member;
using team::Task;
using team::Team;

// Whether some source of tasks seems to hold one, whoever may run it, or the member is counted at
// work. Reads only.
bool may_find(const Member& member) noexcept;
// Runs a task if one may run here; false if there was none. `awaited`: if the member owns what it waits
// for, it ends its look when that is 0. `idle`: null if it does not wait yet.
bool help(Member& member, const task::PendingCount* awaited = nullptr,
          task::Idle* idle = nullptr) noexcept;
// Whether there is such a task; a member asks before it sleeps.
bool work_waits(Member& member) noexcept;
// Counts the sleep, and gives back memory that other threads may need meanwhile.
void prepare_to_sleep(Member& member) noexcept;
// The longest sleep of a member, in ns. It is woken for what it waits for, but has to look for late
// tasks (ready.cpp) itself.
uint64_t longest_sleep(const Member& member) noexcept;

// A member that waits. The barriers and the hand-over of `sync` call wait().
class Attentive {
 public:
  // For a wait in a region. `awaited`: as for help().
  explicit Attentive(Member& member, const task::PendingCount* awaited = nullptr) noexcept
      : member_(member), waiting_(member.waiting()), awaited_(awaited) {}
  // For a wait between regions.
  Attentive(Member& member, sync::Waiting waiting) noexcept
      : member_(member), waiting_(waiting), in_region_(false) {}

  // Waits until ready(word), running tasks meanwhile; the thread that makes the word ready wakes
  // the member at `event`. `idle`: of a wait that lasts longer than this call.
  template <class Ready>
  void attend(const plat::atomic<uint64_t>& word, sync::EventCount& event, Ready ready,
              task::Idle& idle) const noexcept {
    Helper helper(*this, idle);
    task::attend(helper, word, event, ready, waiting_);
  }

  template <class Ready>
  uint64_t wait(sync::EventCount& event, Ready ready) const noexcept {
    // A worker that a region leaves out has no epoch; the number of its last epoch may come again
    // (src/task/README.md).
    if (&event == &member_.resume) member_.tasks.epoch.end();
    uint64_t seen = 0;
    const auto is_ready = [&](uint64_t word) {
      return ready(seen = sync::EventCount::value_of(word));
    };
    task::Idle idle(member_.team->tasks);
    attend(event.word(), event, is_ready, idle);
    return seen;
  }

 private:
  // As task::attend() sees the member.
  class Helper {
   public:
    Helper(const Attentive& its, task::Idle& idle) noexcept
        : its_(its), member_(its.member_), idle_(idle) {}

    bool tasks_about() const noexcept { return member_.tasks.epoch.has_tasks(); }
    unsigned own_tasks() const noexcept {
      return (member_.tasks.handed.empty() ? 0u : 1u) | (victim_has_task() ? 2u : 0u);
    }
    // While this member is in a region the team keeps its members; between regions only a member
    // that is counted at work may look at the others, as help() does.
    bool may_find() const noexcept { return !its_.in_region_ || tasking::may_find(member_); }
    void look_in_vain() const noexcept { idle_.look_in_vain(); }
    bool help() const noexcept { return tasking::help(member_, its_.awaited_, &idle_); }
    template <class Done>
    bool sleep(sync::EventCount& event, Done done) const noexcept {
      prepare_to_sleep(member_);
      // Where members share cores, one that sleeps leaves no core idle.
      if (!its_.waiting_.limits.share_core) idle_.starve();
      Team& team = *member_.team;
      const bool watches = member_.id == team::kWatcher;
      if (watches && watch(team)) return false;
      const uint64_t pause = watches ? team.late.pause() : plat::kForever;
      Task* const on = member_.tasks.standing.tied();
      member_.asleep.on.store(on, std::memory_order_release);  // R1 of ready.hpp
      const topo::KeptCore kept(its_.waiting_.patience.leaves_core(its_.waiting_.limits),
                                 team.core_of_primary);
      return task::sleep_in(
          team.sleepers, member_.asleep.sleeper, event,
          [&] { return done() || (watches && team.late.wants_watch()); },
          [this] { return work_waits(member_); }, std::min(pause, longest_sleep(member_)));
    }

   private:
    // A member that looks in vain is given a task soon, most likely by the one that it has stolen
    // from before.
    bool victim_has_task() const noexcept {
      const int victim = member_.tasks.search.last_victim();
      return idle_.is_hungry() && its_.in_region_ && victim >= 0 && victim < member_.team->size &&
             !member_.team->member(victim).tasks.deque.seems_empty();
    }

    const Attentive& its_;
    Member& member_;
    task::Idle& idle_;
  };

  Member& member_;
  const sync::Waiting waiting_;
  const bool in_region_ = true;
  const task::PendingCount* const awaited_ = nullptr;
};

}  // namespace vicino::tasking
