#include "region/constructs.hpp"

#include "config/settings.hpp"
#include "team/late_start.hpp"

namespace vicino::region {

Reduction choose_reduction(const Member& member, bool atomic_possible, bool blocking) noexcept {
  // With more members, queueing for a lock takes longer than a tree.
  constexpr int kFew = 4;
  // With more members that wait for each other, queueing for the line of a sum does, too. Where
  // they need not wait, they come to the line at different times.
  constexpr int kFewOnLine = 8;
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
  const bool would_queue = blocking && !may_cancel && member.team->size > kFewOnLine;
  const bool forced = s.force_reduction == config::ForceReduction::kAtomic;
  if (atomic_possible && (forced || !would_queue)) return Reduction::kAtomic;
  if (may_cancel) return Reduction::kCritical;
  return member.team->size <= kFew ? Reduction::kCritical : Reduction::kTree;
}

bool reduce_tree(Member& member, void* data, Combine combine) noexcept {
  Team& team = *member.team;
  member.flags.shown = data;
  if (member.id == 0 && team.was_begun_alone()) [[unlikely]]
    team::call_late_members(team);
  gather(team, team.layout(), member.id, ++member.generation, member.waiting(),
         [&](int other) { combine(data, team.member(other).flags.shown); });
  return member.id == 0;
}

}  // namespace vicino::region
