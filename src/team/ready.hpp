// ready.hpp: where a team's tasks wait that are ready to run, and how a member finds one.
//
// Which of it is used is the task scheduler's choice (task/registry.hpp): a member's deque, the
// team's queue, or the queues of the nodes. The team's queue serves the others, too, for tasks that
// no deque may hold.
#pragma once

#include <span>

#include "task/neighbours.hpp"
#include "team/tasks.hpp"
#include "team/team.hpp"

namespace vicino::team {

// Whether the task may run on top of what the member has suspended (tasks.cpp). The standard would
// let an untied task run on any; but when it waits for a tied child, that child may not run here,
// and if all threads are in such a place, nowhere (src/task/README.md: nobody waits for ever).
inline bool may_run(const Member& member, Task& task) noexcept {
  return member.tied == nullptr || task.descends_from(*member.tied);
}

// The node, as an index of domains, that a member is bound to; -1: none, or several.
int bound_node(const Member& member) noexcept;

// The task, not offered yet, is to run on the node where the page with this address is, if the task
// scheduler has queues of nodes and the page is there.
void prefer_memory(Member& member, Task& task, const void* address) noexcept;

// The task may be taken by others from now on; and one who sleeps for want of work is woken.
void offer(Member& member, Task& task);
// As offer(), by a thread that is no member at work.
void offer_from_outside(Team& team, Task& task);

// Each task to the node that is its home, all at once: a thread that has none finds its own node's,
// not the first that comes. `from[i]`: the member to ask first whether it sleeps.
void offer_at_home(Member& member, std::span<Task* const> tasks, std::span<const int> from);

// The task, not offered yet, is for this member; others leave it to that, but see take_late() in
// ready.cpp.
void hand_to(Member& to, Task& task);
// The first task that is `wanted` of those handed to a member which has not begun it; null if none.
template <class Wanted>
Task* take_handed(Member& to, Wanted wanted) {
  Task* const task = to.handed.take([&wanted](Task* found) { return wanted(*found); });
  if (task != nullptr) to.team->handed.fetch_sub(1, std::memory_order_relaxed);
  return task;
}
// All of them end without being run, and count as executed; ended(task) before each does.
template <class Wanted, class Ended>
void take_back(Member& member, Wanted wanted, Ended ended) {
  Team& team = *member.team;
  for (int i = 0; i < team.size; ++i)
    while (Task* task = take_handed(team.member(i), wanted)) {
      ended(*task);
      leave_unrun(member, *task);
    }
}
// For how many ns a member may sleep that would be woken for what it waits for: it has to look for
// late tasks now and then.
uint64_t longest_sleep(const Member& member) noexcept;

// A task that may run here, which is the caller's from now on; null if none was found.
Task* find(Member& member) noexcept;
// Whether find() might find one with others; looks only. After a heavy fence, see attentive.hpp.
bool others_offer(Member& member) noexcept;

}  // namespace vicino::team
