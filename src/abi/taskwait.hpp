// taskwait.hpp: taskwait and the end of a taskgroup, which are the same for both compilers.
#pragma once

#include "team/worker.hpp"

namespace vicino::abi {

int wait_for_children();
// Returns 0, as one compiler wants it. A bare task has had no children, and is not recorded.
[[gnu::always_inline]] inline int taskwait() {
  const team::Member* const member = team::self;
  if (member != nullptr && member->tasks.standing.is_bare()) return 0;
  return wait_for_children();
}
void end_taskgroup();

}  // namespace vicino::abi
