// ready.hpp: where a team's tasks wait that are ready to run, and how a member finds one.
//
// Which of it is used is the task scheduler's choice (task/registry.hpp): a member's deque, the
// team's queue, or the queues of the nodes. The team's queue serves the others, too, for tasks that
// no deque may hold.
#pragma once

#include "task/neighbours.hpp"
#include "team/team.hpp"

namespace vicino::team {

// Whether the task may run on top of what the member has suspended (tasks.cpp). The standard would
// let an untied task run on any; but when it waits for a tied child, that child may not run here,
// and if all threads are in such a place, nowhere (src/task/README.md: nobody waits for ever).
inline bool may_run(const Member& member, Task& task) noexcept {
  return member.tied == nullptr || task.descends_from(*member.tied);
}

// The task may be taken by others from now on; and one who sleeps for want of work is woken.
void offer(Member& member, Task& task);
// As offer(), by a thread that is no member at work.
void offer_from_outside(Team& team, Task& task);

// A task that may run here, which is the caller's from now on; null if none was found.
Task* find(Member& member) noexcept;
// Whether find() might find one with others; looks only. After a heavy fence, see attentive.hpp.
bool others_offer(Member& member) noexcept;

}  // namespace vicino::team
