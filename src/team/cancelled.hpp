// cancelled.hpp: whether a region or a taskgroup is cancelled. region/cancel.hpp cancels them, and
// argues that all members come to the same decision; C1 and C3 are its labels.
//
// Memory order: relaxed. A member only decides to leave by what it reads, and takes no data from
// the thread that cancelled. Where members must agree, a barrier lies between the write and the
// reads (C1, C3).
#pragma once

#include "team/team.hpp"

namespace vicino::team {

inline bool region_is_cancelled(const Member& member) noexcept {
  return member.team->cancelled.region.load(std::memory_order_relaxed) != 0;
}

inline void forget_cancelled_loops(Team& team) noexcept {
  for (auto& loop : team.cancelled.loops) loop.store(0, std::memory_order_relaxed);
}

// Whether the member has passed the last barrier of a cancelled region (C3).
inline bool has_left(const Member& member) noexcept {
  const uint64_t at = member.team->cancelled.region.load(std::memory_order_relaxed);
  return at != 0 && (at <= member.generation || member.team->size == 1);
}

// Whether the group, or one that it lies in, is cancelled.
inline bool is_cancelled(const Group* group) noexcept {
  for (; group != nullptr; group = group->outer)
    if (group->cancelled.load(std::memory_order_relaxed)) return true;
  return false;
}

// Whether the task need not begin.
inline bool is_cancelled(const Member& member, const Task& task) noexcept {
  return region_is_cancelled(member) || is_cancelled(task.group);
}

// Whether no more tasks are to be made for the present task's innermost group.
inline bool taskgroup_is_cancelled(const Member& member) noexcept {
  return member.team->icvs.cancellation() &&
         (region_is_cancelled(member) || is_cancelled(member.tasks.standing.innermost().inner));
}

}  // namespace vicino::team
