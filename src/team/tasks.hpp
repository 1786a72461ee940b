// tasks.hpp: explicit tasks: spawned, run, waited for.
#pragma once

#include "team/team.hpp"
#include "team/worker.hpp"

namespace vicino::team {

// Their dependences are of no interest any more (dependences.hpp).
void forget_children(Member& member, Task& task) noexcept;

// A record for a task that the calling thread is about to generate, with `extra` bytes behind it;
// null if they are too many: then the caller sees to them.
inline Task* new_task(Member& member, size_t extra, uint8_t flags) {
  if (sizeof(Task) + extra > task::Heap::kLargest) [[unlikely]]
    return nullptr;
  task::Heap::Origin origin;
  Task* task = new (member.worker->heap().take(sizeof(Task) + extra, origin)) Task;
  Task& parent = *member.task;
  task->origin = origin;
  task->flags = static_cast<uint8_t>(flags | Task::kExplicit | (parent.flags & Task::kFinal));
  task->group = task->inner = parent.inner;
  task->set_place_in_tree(&parent, parent.depth() + 1, task->is(Task::kUntied));
  return task;
}
// One that was neither spawned nor run.
void discard(Member& member, Task& task) noexcept;

// Whether a task that this member generates is to be run at once rather than spawned: in a team of
// one, unless tasks lie on top of each other very deep already, and in a final task.
inline bool runs_at_once(const Member& member) noexcept {
  constexpr uint32_t kDeep = 256;
  return (member.team->size == 1 && member.worker->tasks_below < kDeep) ||
         member.task->is(Task::kFinal);
}

// The task may be run by any thread of the team from now on.
void spawn(Member& member, Task& task);

// The task is run here and now, before the one that generates it goes on.
void run_at_once(Member& member, Task& task) noexcept;
// The same in two halves, for code that the compiler runs itself.
struct Suspended {
  Task* task;
  Task* tied;
  uint64_t floor;
  Icvs* icvs;
  Icvs own;  // if icvs is the member's own
};
void begin_at_once(Member& member, Task& task, Suspended& outer) noexcept;
void end_at_once(Member& member, Task& task, const Suspended& outer) noexcept;

// Waits until none of the family is left, and runs tasks meanwhile. `owned`: by the calling member.
void wait_for_family(Member& member, task::Family& family, bool owned) noexcept;
// The present task waits for its children.
inline void wait_for_children(Member& member) noexcept {
  Task& task = *member.task;
  if (task.children.live() != 0) wait_for_family(member, task.children, task.owner() == &member);
  if (task.node != nullptr) [[unlikely]]
    forget_children(member, task);
}
// Runs one other task, if there is one that may run here.
void yield_to_task(Member& member) noexcept;

void begin_group(Member& member);
void end_group(Member& member) noexcept;

// The member is about to wait at a barrier, or at the region's end: it runs what it finds.
void run_dry(Member& member) noexcept;
// All members have arrived at a barrier, or at the region's end: waits until no task is left.
void finish_all(Member& member) noexcept;

// For a member that waits: runs a task if there is one that may run here; false if there was none.
bool help(Member& member) noexcept;
// Whether there is such a task, asked by one that is about to sleep.
bool work_waits(Member& member) noexcept;

// The steps of spawn() and of a task's end, for tasks that wait for others (dependences.hpp).
// It counts from now on, in its families and in the member's balance ...
void account(Member& member, Task& task);
// ... and no more, nor is there a record of it. In between it is offered (ready.hpp).
void leave_families(Member& member, Task& task) noexcept;

}  // namespace vicino::team
