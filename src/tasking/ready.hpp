// ready.hpp: where a team's ready tasks wait, and how a member finds one.
//
// The task scheduler (task/registry.hpp) chooses where they wait: in the members' deques, in the
// team's queue, or in the queues of the near domains. With any scheduler the team's queue also takes the
// tasks that no deque may hold.
//
// Memory order
//  R1 a member that goes to sleep stores SleepState::on by a release (attentive.hpp);
//     would_wake_for() in ready.cpp loads it by an acquire. So the thread that asks whether its
//     task descends from that one sees that record complete.
//  A task's contents are published by the deque or queue that holds it (src/task). TeamTasks's
//  `handed` and `next_domain` are relaxed: the first says only whether a look is worth while, and the
//  second only spreads tasks.
#pragma once

#include <span>

#include "task/pending_count.hpp"
#include "team/team.hpp"

namespace vicino::task {
class Neighbours;
}

namespace vicino::tasking {

using team::Member;
using team::Task;
using team::Team;

inline bool may_run(const Member& member, Task& task) noexcept {
  return member.tasks.standing.may_run(task);
}

// The other members of the team as this one sees them, by the distance of their threads. The
// reference is good until the team is arranged anew.
const task::Neighbours& neighbours_of(Member& member);

// The task, not offered yet, will prefer the node where the page with this address lies, and of its cache groups
// always the same one for this page, if the task scheduler has queues of near domains and the page is mapped.
void prefer_memory(Member& member, Task& task, const void* address) noexcept;

// From now on other members may take the task; one that sleeps for want of work is woken.
void offer(Member& member, Task& task);
// As offer(), for a thread that is no member of the team at work.
void offer_from_outside(Team& team, Task& task);

// Offers each task in its data domain, all of them at once: so an idle thread finds its own domain's
// task and not simply the first one. `from[i]`: the member that is asked first whether it sleeps.
void offer_at_domains(Member& member, std::span<Task* const> tasks, std::span<const int> from);

// What a task that is handed to a member has as its data.
struct HandedTask {
  // Whether the task, which has not begun, is late. Then a member that waits for it may take it over.
  bool (*is_late)(const HandedTask& it) noexcept;
};
// No task is late before.
inline constexpr uint64_t kLateNs = 1'000'000;

// The task, a HandedTask that is not offered yet, is for the member `to`; other members leave it
// alone, except by take_late() in ready.cpp.
struct Handing {
  Member* to;
  Task* task;
};
void hand_out(Team& team, std::span<const Handing> tasks);
// Takes the first task that is `wanted` from those handed to a member that it has not begun; null
// if there is none.
template <class Wanted>
Task* take_handed(Member& to, Wanted wanted) {
  Task* const task = to.tasks.handed.take([&wanted](Task* found) { return wanted(*found); });
  if (task != nullptr) to.team->tasks.handed.fetch_sub(1, std::memory_order_relaxed);
  return task;
}
// Whether what a member waits for is 0. Null: it waits for nothing of its own, or for something else.
inline bool is_over(const task::PendingCount* awaited) noexcept {
  return awaited != nullptr && awaited->live() == 0;
}
// Takes a task that may run here; null if none was found, or none before is_over(awaited).
Task* find(Member& member, const task::PendingCount* awaited) noexcept;
// Whether find() might find a task that another thread has made ready; only looks. The caller has
// passed a heavy fence (A1 of task/sleep.hpp).
bool others_offer(Member& member) noexcept;

}  // namespace vicino::tasking
