// tasks.hpp: explicit tasks: spawned, run, waited for.
#pragma once

#include "team/team.hpp"
#include "team/worker.hpp"

namespace vicino::team {

// The task generates no more children, or all are done: their dependences are of no interest any
// more (dependences.cpp).
void forget_children(Member& member, Task& task) noexcept;

// A record for a task that the calling thread is about to generate, with `extra` bytes behind it;
// null if they are too many: then the caller sees to them.
[[gnu::always_inline]] inline Task* new_task(Member& member, size_t extra, uint8_t flags) {
  if (sizeof(Task) + extra > task::Heap::kLargest) [[unlikely]]
    return nullptr;
  task::Heap::Origin origin;
  Task* task = new (member.worker->records().take(sizeof(Task) + extra, origin)) Task;
  Task& parent = member.task();
  task->set_origin(origin);
  task->flags = static_cast<uint8_t>(flags | Task::kExplicit | (parent.flags & Task::kFinal));
  task->group = task->inner = parent.inner;
  task->set_place_in_tree(&parent, parent.depth() + 1);
  return task;
}
// One that was neither spawned nor run.
void discard(Member& member, Task& task) noexcept;

inline void free_record(Member& member, Task& task) noexcept {
  if (task.icvs != nullptr) [[unlikely]]
    delete task.icvs;
  member.worker->records().give(&task, task.origin());
}

// Whether a task that this member generates is to be run at once rather than spawned: in a team of
// one, and where there are plenty for others already; but not if tasks lie on top of each other
// very deep by that. And in a final task.
inline bool runs_at_once(Member& member) noexcept {
  constexpr uint32_t kDeep = 256;
  constexpr uint64_t kPlenty = 256;
  if ((member.team->size == 1 || member.deque.holds(kPlenty)) &&
      member.worker->tasks_below + member.bare < kDeep)
    return true;
  return member.recorded->is(Task::kFinal);
}

// The task may be run by any thread of the team from now on.
void spawn(Member& member, Task& task);

// What a thread sets aside while it runs a task on top of another.
class Suspended {
 public:
  // `task` is the present one from now on.
  Suspended(Member& member, Task& task) noexcept
      : task_(member.recorded), tied_(member.tied), floor_(member.floor), icvs_(member.icvs) {
    if (icvs_ == &member.own) [[unlikely]]
      own_ = member.own;
    ++member.worker->tasks_below;
    member.recorded = &task;
    if (task.is(Task::kUntied)) return;
    task.set_owner(&member);
    member.tied = &task;
    member.floor = member.deque.bottom();
  }
  void resume(Member& member) const noexcept {
    if (icvs_ == &member.own) [[unlikely]]
      member.own = own_;
    member.recorded = task_;
    member.tied = tied_;
    member.floor = floor_;
    member.icvs = icvs_;
    --member.worker->tasks_below;
  }

 private:
  Task* task_;
  Task* tied_;
  uint64_t floor_;
  Icvs* icvs_;
  union {
    Icvs own_;  // if icvs_ is the member's own
  };
};

// The child that an untied task has generated last waits for what the task does next.
void offer_child(Member& member);
// The task has ended: its record goes, or stays for as long as children of it do.
void keep_record(Member& member, Task& task) noexcept;
inline void end_record(Member& member, Task& task) noexcept {
  if (task.children.alone()) [[likely]]
    free_record(member, task);
  else
    keep_record(member, task);
}
// Its group was cancelled: the body is only to free what it holds, unless it has begun.
void discard_if_cancelled(Member& member, Task& task) noexcept;
// The body runs, or its next part; false if more follow.
inline bool run_body(Member& member, Task& task) noexcept {
  if (member.team->icvs.cancellation) [[unlikely]]
    discard_if_cancelled(member, task);
  if (task.body(member, task)) return true;
  task.flags |= Task::kBegun;
  return false;
}

// Of a task that ran at once and has a node, perhaps only since it has children with dependences.
void end_node(Member& member, Task& task) noexcept;

// The task is run here and now, before the one that generates it goes on: in two halves, for code
// that the compiler runs itself ...
Suspended begin_at_once(Member& member, Task& task) noexcept;
void end_at_once(Member& member, Task& task, const Suspended& outer) noexcept;
// ... and whole; with the body known to the caller it is a few instructions.
[[gnu::always_inline]] inline void run_at_once(Member& member, Task& task) noexcept {
  if (task.node != nullptr || member.child != nullptr) [[unlikely]] {
    const Suspended outer = begin_at_once(member, task);
    while (!run_body(member, task)) {
    }
    return end_at_once(member, task, outer);
  }
  ++member.worker->counts().at_once;
  const Suspended outer(member, task);
  while (!run_body(member, task)) {
  }
  if (member.child != nullptr) [[unlikely]]
    offer_child(member);
  outer.resume(member);
  if (task.node != nullptr) [[unlikely]]
    end_node(member, task);
  end_record(member, task);
}

// The present task has ended; it got a record while it ran.
void end_bare(Member& member) noexcept;
// A tied task that is run here and now by calling `body`, with no data of its own, and that is not
// final unless its parent is. Programs generate tasks that are smaller than tasks, counting on this
// to be cheap; most never ask the runtime for anything, and have no record. Whoever asks for the
// present task gets one (Member::task); all that a task without one can tell is what its parent
// can.
template <class Body>
[[gnu::always_inline]] inline void run_bare(Member& member, Body body) noexcept {
  if (member.child != nullptr) [[unlikely]]
    offer_child(member);
  ++member.worker->counts().at_once;
  ++member.bare;
  body();
  // Those on top of it have ended; so either all have a record, or this one has none.
  if (member.bare != 0) [[likely]]
    --member.bare;
  else
    end_bare(member);
}

// Waits until none of the family is left, and runs tasks meanwhile. `owned`: by the calling member.
void wait_for_family(Member& member, task::Family& family, bool owned) noexcept;
// The present task waits for its children.
inline void wait_for_children(Member& member) noexcept {
  if (member.bare != 0) return;  // it has had none
  Task& task = member.task();
  if (task.children.live() != 0) wait_for_family(member, task.children, task.owner() == &member);
  if (task.node != nullptr) [[unlikely]]
    forget_children(member, task);
}
// Of the present task: no two that have begun and not ended share one. An untied task keeps its own
// when it moves; there are no more of these than 2^30 between one's first use and its last. Not 0.
uint32_t task_number(Member& member) noexcept;

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
// The task, which counts, is done although nobody has run it.
void leave_unrun(Member& member, Task& task) noexcept;

}  // namespace vicino::team
