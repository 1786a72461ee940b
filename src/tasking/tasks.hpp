// tasks.hpp: explicit tasks: spawned, run, waited for.
#pragma once

#include <span>
#include <utility>

#include "site/counts.hpp"
#include "tasking/start.hpp"
#include "team/team.hpp"
#include "team/worker.hpp"

namespace vicino::tasking {

using team::Group;
using team::Icvs;
using team::Team;
using team::Worker;

// The task generates no more children before all tasks are done: the table of its children's
// dependences is dropped (dependences.cpp).
void drop_table(Member& member, Task& task) noexcept;
// The same if the task's children are done, unless their own children count in the table.
void forget_children(Member& member, Task& task) noexcept;

// The record of a child of `parent`, in this memory.
[[gnu::always_inline]] inline Task& make_task(void* memory, task::Heap::Origin origin, Task& parent,
                                              uint8_t flags) {
  constexpr int kInherited = Task::kFinal | Task::kWatched;
  Task* task = new (memory) Task;
  task->set_origin(origin);
  task->flags = static_cast<uint8_t>(flags | Task::kExplicit | (parent.flags & kInherited));
  task->group = task->inner = parent.inner;
  task->set_place_in_tree(&parent, parent.depth() + 1);
  return *task;
}
// A record of `bytes`, with what lies behind it, for a child of `parent`.
[[gnu::always_inline]] inline Task* make_record(Member& member, Task& parent, size_t bytes,
                                                uint8_t flags) {
  task::Heap& heap = member.worker->records();
  task::Heap::Origin origin;
  void* memory;
  if (bytes <= task::Heap::kSmall) [[likely]]
    memory = heap.take(bytes, origin);
  else if (bytes <= task::Heap::kLargest)
    memory = heap.take_large(bytes, origin);
  else
    return nullptr;
  return &make_task(memory, origin, parent, flags);
}
// The same as make_record() for a task that a tool is told of: with an ompt::TaskRecord behind all else.
Task* make_watched_record(Member& member, Task& parent, size_t bytes, uint8_t flags);
// A record for a task that the calling thread is about to generate, with `extra` bytes behind it;
// null if these are too many for a heap's block: the caller then allocates them elsewhere.
[[gnu::always_inline]] inline Task* new_task(Member& member, size_t extra, uint8_t flags) {
  Task& parent = member.task();
  if (parent.is(Task::kWatched)) [[unlikely]]
    return make_watched_record(member, parent, sizeof(Task) + extra, flags);
  return make_record(member, parent, sizeof(Task) + extra, flags);
}
// Frees the record of a task that was neither spawned nor run.
void discard(Member& member, Task& task) noexcept;

inline void free_record(Member& member, Task& task) noexcept {
  if (task.icvs != nullptr) [[unlikely]]
    delete task.icvs;
  member.worker->records().give(&task, task.origin());
}

// The member is no longer counted at work in its termination detector, and has no task.
void stop_work(Member& member) noexcept;

// From now on any thread of the team may run the task.
void spawn(Member& member, Task& task);

// The state that a thread sets aside while it runs a task on top of another.
class Suspended {
 public:
  // From now on `task` is the present task.
  Suspended(Member& member, Task& task) noexcept
      : outer_(member.tasks.standing.present()), icvs_(member.icvs) {
    if (icvs_ == &member.own) [[unlikely]]
      own_ = member.own;
    member.worker->budget.enter();
    member.tasks.standing.begin(task);
    if (task.is(Task::kUntied)) {
      // Any task may come on top of an untied one that waits, and that one may wait, too, and so on
      // until the stack is full. So deep down only descendants may, as on a tied task. What the
      // task waits for is among them.
      if (member.worker->budget.is_deep_for_untied()) member.tasks.standing.tie(task);
      return;
    }
    task.set_owner(&member);
    member.tasks.standing.tie(task, member.tasks.deque.bottom());
  }
  void resume(Member& member) const noexcept {
    if (icvs_ == &member.own) [[unlikely]]
      member.own = own_;
    member.tasks.standing.go_on(outer_);
    member.icvs = icvs_;
    member.worker->budget.leave();
  }

 private:
  team::Standing::Outer outer_;
  Icvs* icvs_;
  union {
    Icvs own_;  // if icvs_ is the member's own
  };
};

// As team::make_records. Outermost first: each record is the parent of the next.
void make_records(Member& member);

// Offers the child that the present task, if it is untied, has generated last.
void offer_child(Member& member);
// The task has ended: its record is freed, or stays for as long as its children's records do.
void keep_record(Member& member, Task& task) noexcept;
inline void end_record(Member& member, Task& task) noexcept {
  if (task.children.alone()) [[likely]]
    free_record(member, task);
  else
    keep_record(member, task);
}
// How a body that has come to its end, or to that of a part, leaves the task.
ompt::TaskStatus status_of(const Member& member, const Task& task, bool done) noexcept;
// run_body() where tasks can be cancelled, or a tool is told of them.
bool run_special_body(Member& member, Task& task) noexcept;
// Runs the body, or its next part; false if more parts follow.
inline bool run_body(Member& member, Task& task) noexcept {
  if (!member.team->icvs.is_plain()) [[unlikely]]
    return run_special_body(member, task);
  if (task.body(member, task)) return true;
  task.flags |= Task::kBegun;
  return false;
}

// A task has ended that ran at once and has a vertex, perhaps only because it has children with
// dependences.
void end_vertex(Member& member, Task& task) noexcept;

// The task runs here and now, before the task that generates it goes on. In two halves, for
// compilers whose code runs the body itself:
Suspended begin_at_once(Member& member, Task& task) noexcept;
void end_at_once(Member& member, Task& task, const Suspended& outer) noexcept;
// In one piece; where the caller knows the body, this is a few instructions.
[[gnu::always_inline]] inline void run_at_once(Member& member, Task& task) noexcept {
  if (task.vertex != nullptr || member.tasks.standing.has_child()) [[unlikely]] {
    const Suspended outer = begin_at_once(member, task);
    while (!run_body(member, task)) {
    }
    return end_at_once(member, task, outer);
  }
  ++member.worker->counts().at_once;
  const Suspended outer(member, task);
  while (!run_body(member, task)) {
  }
  if (member.tasks.standing.has_child()) [[unlikely]]
    offer_child(member);
  outer.resume(member);
  if (task.vertex != nullptr) [[unlikely]]
    end_vertex(member, task);
  end_record(member, task);
}

// The task's `function` is the code that it runs.
void run_timed(Member& member, Task& task) noexcept;
[[gnu::always_inline]] inline void run_at_once(Member& member, Start start, Task& task) noexcept {
  if (start == Start::kTimedCall) [[unlikely]]
    run_timed(member, task);
  else
    run_at_once(member, task);
}

// The present task has ended. It was bare when it began, and got a record while it ran.
void end_bare(Member& member) noexcept;
// Runs a tied task here and now by calling `body`; the task has no data of its own, and is not
// final unless its parent is. Programs generate tasks that are smaller than the cost of a task, and
// count on the runtime to make them cheap. Most such tasks never ask the runtime for anything, and
// have no record. Code that asks for the present task makes one (Member::task()); until then
// everything about a bare task is as for its parent.
template <class Body>
[[gnu::always_inline]] inline void run_bare_next(Member& member, Body body) noexcept {
  ++member.worker->counts().at_once;
  member.tasks.standing.begin_bare();
  body();
  if (!member.tasks.standing.end_bare()) [[unlikely]]
    end_bare(member);
}
// The same for a task that begins at a level of its own.
template <class Body>
[[gnu::always_inline]] inline void run_bare_below(Member& member, Body body) noexcept {
  const task::Level::Outer outer = member.tasks.standing.level().begin_noted();
  run_bare_next(member, body);
  member.tasks.standing.level().go_on(outer);
}
template <class Body>
[[gnu::always_inline]] inline void run_bare(Member& member, Body body) noexcept {
  if (member.tasks.standing.has_child()) [[unlikely]]
    offer_child(member);
  run_bare_below(member, body);
}
// The same for a task that Starts::is_tiny_call().
template <class Body>
[[gnu::always_inline]] inline void run_tiny(Member& member, Body body) noexcept {
  if (member.tasks.standing.has_child()) [[unlikely]]
    offer_child(member);
  Starts(member).begin_tiny();
  run_bare_below(member, body);
  Starts(member).end_tiny();
}
template <class Body>
[[gnu::noinline]] void run_bare_timed(Member& member, const void* code, Body body) noexcept {
  const Timing timing(member, code);
  run_bare(member, body);
  timing.end(member);
}
template <class Body>
[[gnu::always_inline]] inline void run_bare(Member& member, Start start, const void* code,
                                            Body body) noexcept {
  if (start == Start::kTimedCall) [[unlikely]]
    run_bare_timed(member, code, body);
  else
    run_bare(member, body);
}

// Runs a counted task here and now, to its end or, if it is untied, as far as it goes.
void run_counted(Member& member, Task& task) noexcept;
// Waits until the pending count is 0, and runs tasks meanwhile. `owned`: the calling member owns
// the pending count.
void wait_for_pending(Member& member, task::PendingCount& pending, bool owned) noexcept;
// The present task waits for its children.
inline void wait_for_children(Member& member) noexcept {
  if (member.tasks.standing.is_bare()) return;  // a bare task has had no children
  Task& task = member.task();
  if (task.children.live() != 0) wait_for_pending(member, task.children, task.owner() == &member);
  if (task.vertex != nullptr) [[unlikely]]
    forget_children(member, task);
}
// The present task's number, not 0. No two tasks that have begun and not ended have the same one.
// An untied task keeps its number when it moves; numbers of untied tasks repeat after 2^30.
uint32_t task_number(Member& member) noexcept;

// Runs one other task, if one may run here.
void yield_to_task(Member& member) noexcept;
// Called where a thread queues a task outside of any region, when none of its tasks is left: run_before_the_end() of
// left.hpp. Set once.
inline void (*begins_outside_regions)() noexcept = nullptr;
// Runs the tasks that may run here. The member has generated some.
void run_ready(Member& member) noexcept;

void begin_group(Member& member);
void end_group(Member& member) noexcept;

// The member is about to wait at a barrier, or at the region's end: it runs the tasks that it
// finds.
void run_dry(Member& member) noexcept;
// All members have arrived at a barrier, or at the region's end: waits until no task is left.
void finish_all(Member& member) noexcept;

// The steps of spawn() and of a task's end, for tasks that wait for others (dependences.hpp). In
// between the task is offered (ready.hpp).
// From now on the task is counted by its parent, by its group and in the member's balance.
void account(Member& member, Task& task);
// The same for some that have the same parent and group: the shared counts change once.
void account(Member& member, std::span<Task* const> siblings);
// The task is no longer counted by its parent and group; its record is freed as by end_record().
void leave_counts(Member& member, Task& task) noexcept;
// The task, which is counted, ends although no thread has run it.
void leave_unrun(Member& member, Task& task) noexcept;

}  // namespace vicino::tasking
