// taskloop_run.hpp: when to stop, for code that runs a taskloop's tasks one after the other.
#pragma once

#include "team/cancelled.hpp"

namespace vicino::tasking {

// Whether the member is to run another of the tasks. It stops when the group is cancelled and,
// unless `alone`, when the member's deque is empty, for then other threads find no tasks there.
inline bool goes_on(team::Member& member, bool alone) noexcept {
  return !team::taskgroup_is_cancelled(member) && (alone || member.tasks.deque.holds(1));
}

}  // namespace vicino::tasking
