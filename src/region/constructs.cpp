#include "region/constructs.hpp"

#include <utility>

#include "config/settings.hpp"
#include "event/regions.hpp"
#include "event/sync.hpp"
#include "region/cancel.hpp"
#include "region/loops.hpp"
#include "tasking/attentive.hpp"
#include "tasking/tasks.hpp"
#include "team/late_start.hpp"
#include "topo/allowance.hpp"

namespace vicino::region {

namespace {

// Apart from meet_team(), which needs no stack for a member that is alone.
[[gnu::noinline]] void meet_others(Member& member) {
  Team& team = *member.team;
  const task::Termination& termination = member.tasks.epoch.termination();
  team::need_all(member);
  tasking::run_dry(member);
  ++member.generation;
  if (team.size > 1)
    meet(team, team.layout(), member.id, member.generation, tasking::Attentive(member));
  // A member that has left the barrier already is counted in the other termination detector.
  if (member.tasks.epoch.has_tasks()) tasking::finish_all(member);
  member.tasks.standing.leave_barrier();
  member.tasks.begin_epoch(team.tasks.terminations[&termination == team.tasks.terminations],
                           member.generation);
}

[[gnu::always_inline]] inline void meet_team(Member& member) {
  if (member.team->size == 1 && !member.tasks.epoch.has_tasks()) return;
  meet_others(member);
}

// Whether the member leaves out this barrier of a region that may be cancelled.
bool leaves_out(Member& member) {
  abandon_loop(member);
  if (has_left(member)) return true;  // C3 of cancel.hpp
  if (std::exchange(member.has_met, false)) return true;
  if (member.team->size == 1) forget_cancelled_loops(*member.team);
  return false;
}

[[gnu::noinline]] void special_barrier(Member& member) {
  const event::Waiting waiting(ompt::Sync::kNone);
  if (member.team->icvs.cancellation() && leaves_out(member)) return;
  meet_team(member);
}

}  // namespace

void barrier(Member& member) {
  if (!member.team->icvs.is_plain()) [[unlikely]]
    return special_barrier(member);
  meet_team(member);
}

void end_cancellable(Member& member) {
  if (member.team->icvs.cancellation() && !has_left(member)) barrier(member);  // C2 of cancel.hpp
}

void end_special_part(Member& member) {
  end_cancellable(member);
  if (member.team->icvs.watched()) event::implicit_task_ending(member);
}

namespace {

// How many threads of a team can have a CPU each. It is found once, and each thread that finds it finds the
// same. Relaxed: the number is all there is.
int cpus_for_a_team() noexcept {
  static constinit plat::atomic<int> known{0};
  int cpus = known.load(std::memory_order_relaxed);
  if (cpus == 0)
    known.store(cpus = topo::allowance().default_team_size(), std::memory_order_relaxed);
  return cpus;
}

// Whether many members come to a sum at once. Each of them then reads the line, adds and tries to put
// the result in its place, and most try in vain, since another one was faster: sixty-four members have
// been seen to make 34,000 to 51,000 attempts for 6400 additions. If the construct does not wait the
// members come one by one where they share cores; and each of them would have to be woken to wait.
// All members answer alike, as this does not change while the process lives.
// Sixteen members would add one `long` faster than by the tree, but not three variables, and nothing tells
// how many elements a variable has (docs/design/barrier.md).
bool would_queue(const Team& team, bool blocking) noexcept {
  constexpr int kFewOnLine = 8;
  return team.size > kFewOnLine && (blocking || team.size <= cpus_for_a_team());
}

}  // namespace

Reduction choose_reduction(const Member& member, bool atomic_possible, bool blocking) noexcept {
  // With more members, queueing for a lock takes longer than a tree.
  constexpr int kFew = 4;
  if (member.team->size == 1) return Reduction::kNone;
  // In a cancelled loop not all members come to reduce, and the tree would wait for them.
  const bool may_cancel = member.team->icvs.cancellation();
  const config::Settings& s = config::settings();
  if (s.deterministic_reduction && !may_cancel) return Reduction::kTree;
  switch (s.force_reduction) {
    case config::ForceReduction::kTree:
      if (may_cancel) break;
      return Reduction::kTree;
    case config::ForceReduction::kCritical:
      return Reduction::kCritical;
    case config::ForceReduction::kAtomic:
    case config::ForceReduction::kUnset:
      break;
  }
  const bool forced = s.force_reduction == config::ForceReduction::kAtomic;
  if (atomic_possible && (forced || may_cancel || !would_queue(*member.team, blocking)))
    return Reduction::kAtomic;
  if (may_cancel) return Reduction::kCritical;
  return member.team->size <= kFew ? Reduction::kCritical : Reduction::kTree;
}

bool reduce_tree(Member& member, void* data, Combine combine) noexcept {
  Team& team = *member.team;
  member.flags.shown = data;
  team::need_all(member);
  gather(team, team.layout(), member.id, ++member.generation, member.waiting(),
         [&](int other) { combine(data, team.member(other).flags.shown); });
  return member.id == 0;
}

}  // namespace vicino::region
