// taskloop_run.hpp: when to stop, for code that makes or runs a taskloop's tasks one after the other.
#pragma once

#include "team/cancelled.hpp"

namespace vicino::tasking {

// Whether the member is to make or run another of the tasks: not if the group is cancelled.
inline bool goes_on(team::Member& member) noexcept { return !team::taskgroup_is_cancelled(member); }

// As goes_on(), for a member that, unless `alone`, stops also when its deque is empty: then other
// threads find no tasks there.
inline bool goes_on(team::Member& member, bool alone) noexcept {
  return goes_on(member) && (alone || member.tasks.deque.holds(1));
}

}  // namespace vicino::tasking
