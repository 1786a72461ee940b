// tasks.hpp: explicit tasks: spawned, run, waited for.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "site/counts.hpp"
#include "team/team.hpp"
#include "team/worker.hpp"

namespace vicino::tasking {

using team::Group;
using team::Icvs;
using team::Member;
using team::Task;
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

// Whether a new task may run on top of the present one at all, if it need not: not while the thread
// holds a lock, which the task may want, nor where the stack of tasks is deep or the stack itself
// half full.
[[gnu::always_inline]] inline bool has_room_for_call(const Member& member) noexcept {
  constexpr uint32_t kDeep = 256;
  static_assert(kDeep <= Worker::kMany);
  return member.worker->tasks_below + member.tasks.bare < kDeep && member.worker->stack.has_room();
}

// Whether a task that this member generates is to be run at once rather than spawned, whatever it
// is: always in a final task; and, if there is room, in a team of one and where the member's deque
// already has plenty for others.
bool runs_at_once(Member& member) noexcept;

// A short task is a call, which means that it is run at once, while nobody looks for a task:
// docs/design/tasks.md. The following is for tied tasks that are not final, have neither
// dependences nor an event, and run `code`.

// Notes how deep in the recursion the present task makes a task. The functions below go by it.
//
// Many programs make a task of a function's first call and do the second one themselves. So the tasks
// of one depth in the tree of tasks are of all lengths, and only the stack tells them apart: each step
// of the recursion takes some of it. So a task begins one level below the place where it was made, and
// the stack that it has used since it made its first task counts in steps. The levels from kLastLevel
// on are of one class in task/lengths.hpp.
inline constexpr uintptr_t kLastLevel = 1024;
[[gnu::always_inline]] inline void note_level(Member& member) noexcept {
  constexpr uintptr_t kStep = 64;
  team::TaskState& mine = member.tasks;
  const auto here = reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa());
  if (mine.level_from < here) [[unlikely]] {
    // A level, as for the present task's first task; or a place on the stack that the task has left upwards.
    const uintptr_t level = mine.level_from <= kLastLevel + 1 ? mine.level_from : 1;
    mine.level_from = here + level * kStep;
  }
  mine.level = static_cast<uint32_t>(std::min((mine.level_from - here) / kStep, kLastLevel));
}
// What stands in for TaskState::level_from until the task that is made now has made one.
inline uintptr_t level_below(const Member& member) noexcept { return member.tasks.level + 1; }
// A queued task takes its level along, as its depth, which only has to be greater than its parent's.
inline void take_level(const Member& member, Task& task) noexcept {
  if (member.tasks.level >= task.depth()) task.set_depth(member.tasks.level + 1);
}
// A task that is tiny in the mean can be long nevertheless. While a member starves, it waits for what
// such a task makes. Before an epoch's first task is queued nobody looks for one, and so nobody starves:
// there, a tiny call may make kUnasked tasks for itself, and then somebody is taken to wait.
inline constexpr uint32_t kUnasked = 64;
[[gnu::always_inline]] inline bool is_in_tiny_call(const Member& member) noexcept {
  return member.tasks.bare >= member.tasks.tiny_from;
}
[[gnu::always_inline]] inline bool is_awaited(const Member& member) noexcept {
  if (member.tasks.at_work) [[likely]]
    return member.team->tasks.starvation.is_felt();
  return is_in_tiny_call(member) && member.tasks.unasked == 0;
}
// Whether a new task is a call by what its parent is; counts it if so. In a team of one every task is a
// call. What a tiny task makes is a part of its length, so that is a call, too, unless somebody waits
// for it: then it is asked for by its own code and level.
[[gnu::always_inline]] inline bool takes_free_call(Member& member) noexcept {
  if (member.team->size != 1) {
    if (!is_in_tiny_call(member) || is_awaited(member)) return false;
    if (!member.tasks.at_work) --member.tasks.unasked;
  }
  return has_room_for_call(member);
}
// Whether a new task that is known to be tiny is queued nevertheless: while somebody waits for one, each
// member keeps one task in its deque.
[[gnu::always_inline]] inline bool feeds(const Member& member) noexcept {
  return is_awaited(member) && member.tasks.deque.seems_empty();
}
// Whether a new task is a call because it is known to be tiny. One in so many is left to
// choose_start(), which times it. Primes, so that tasks of several kinds that come in a fixed order
// have their turns. The first one after others were queued is timed: that a member has starved
// may mean that they are no longer tiny.
[[gnu::always_inline]] inline bool is_tiny_call(Member& member, const void* code) noexcept {
  constexpr uint32_t kOneIn = 1021, kOneInWhileLooking = 37;
  const team::TeamTasks& team = member.team->tasks;
  if (!has_room_for_call(member) || !team.calls_short ||
      !member.worker->lengths.are_tiny(code, member.tasks.level))
    return false;
  if (feeds(member)) [[unlikely]] {
    member.tasks.untimed = kOneIn;
    return false;
  }
  const bool nobody_looks = member.tasks.at_work && !team.hunger.is_felt();
  if (++member.tasks.untimed < (nobody_looks ? kOneIn : kOneInWhileLooking)) return true;
  member.tasks.untimed = 0;
  return false;
}
// How any new task begins: it is queued for whichever thread takes it; or it is a call; or it is a
// call and timed, by which the thread learns how long such tasks take.
enum class Start : uint8_t { kQueued, kCall, kTimedCall };
Start choose_start(Member& member, const void* code) noexcept;

// Adds what it took to run a task of this code, from construction to end().
class Timing {
 public:
  Timing(const Member& member, const void* code) noexcept
      : Timing(member, code, member.tasks.level) {}
  Timing(const Member& member, const void* code, uint32_t depth) noexcept
      : code_(code), depth_(depth), queued_(queued(member)), begin_(plat::now()) {}
  // Returns the task's time in ns. What the task has queued is not in its length: so it is not tiny.
  uint64_t end(const Member& member) const noexcept {
    uint64_t ns = plat::now() - begin_;
    if (has_queued(member)) ns = std::max<uint64_t>(ns, task::kTinyNs + 1);
    member.worker->lengths.add(code_, depth_, ns);
    return ns;
  }
  // The same for a task that was queued. If such tasks are known to be short, one that has queued others
  // teaches nothing: it may have waited long for them.
  std::optional<uint64_t> end_of_queued(const Member& member) const noexcept {
    if (has_queued(member) && member.worker->lengths.find(code_, depth_).is_short()) return {};
    return end(member);
  }

 private:
  bool has_queued(const Member& member) const noexcept { return queued(member) != queued_; }
  static uint64_t queued(const Member& member) noexcept {
    return member.worker->counts().spawned.value();
  }

  const void* code_;
  uint32_t depth_;
  uint64_t queued_, begin_;
};

// The member is no longer counted at work in its termination detector, and has no task.
void stop_work(Member& member) noexcept;

// From now on any thread of the team may run the task.
void spawn(Member& member, Task& task);

// With so many tasks on a thread's stack an untied task counts as tied for what comes on top of it.
inline constexpr uint32_t kDeepUntied = 32;
// The state that a thread sets aside while it runs a task on top of another.
class Suspended {
 public:
  // From now on `task` is the present task.
  Suspended(Member& member, Task& task) noexcept
      : level_from_(member.tasks.level_from),
        task_(member.tasks.recorded),
        tied_(member.tasks.tied),
        floor_(member.tasks.floor),
        icvs_(member.icvs) {
    if (icvs_ == &member.own) [[unlikely]]
      own_ = member.own;
    ++member.worker->tasks_below;
    member.tasks.level_from = std::min<uintptr_t>(task.depth(), kLastLevel);
    member.tasks.recorded = &task;
    if (task.is(Task::kUntied)) {
      // Any task may come on top of an untied one that waits, and that one may wait, too, and so on until
      // the stack is full. So deep down only descendants may, as on a tied task. What the task waits for
      // is among them.
      if (member.worker->tasks_below >= kDeepUntied) member.tasks.tied = &task;
      return;
    }
    task.set_owner(&member);
    member.tasks.tied = &task;
    member.tasks.floor = member.tasks.deque.bottom();
  }
  void resume(Member& member) const noexcept {
    if (icvs_ == &member.own) [[unlikely]]
      member.own = own_;
    member.tasks.level_from = level_from_;
    member.tasks.recorded = task_;
    member.tasks.tied = tied_;
    member.tasks.floor = floor_;
    member.icvs = icvs_;
    --member.worker->tasks_below;
  }

 private:
  uintptr_t level_from_;
  Task* task_;
  Task* tied_;
  uint64_t floor_;
  Icvs* icvs_;
  union {
    Icvs own_;  // if icvs_ is the member's own
  };
};

// The child that an untied task generated last waits for what the task does next; this offers it.
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
  if (task.vertex != nullptr || member.tasks.child != nullptr) [[unlikely]] {
    const Suspended outer = begin_at_once(member, task);
    while (!run_body(member, task)) {
    }
    return end_at_once(member, task, outer);
  }
  ++member.worker->counts().at_once;
  const Suspended outer(member, task);
  while (!run_body(member, task)) {
  }
  if (member.tasks.child != nullptr) [[unlikely]]
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
  ++member.tasks.bare;
  body();
  // The tasks on top of this one have ended, and records are made for all bare tasks together: this
  // task has none if `bare` is not 0.
  if (member.tasks.bare != 0) [[likely]]
    --member.tasks.bare;
  else
    end_bare(member);
}
// The same for a task that begins at a level of its own.
template <class Body>
[[gnu::always_inline]] inline void run_bare_below(Member& member, Body body) noexcept {
  team::TaskState& mine = member.tasks;
  const uintptr_t level_from = std::exchange(mine.level_from, level_below(member));
  run_bare_next(member, body);
  mine.level_from = level_from;
}
template <class Body>
[[gnu::always_inline]] inline void run_bare(Member& member, Body body) noexcept {
  if (member.tasks.child != nullptr) [[unlikely]]
    offer_child(member);
  run_bare_below(member, body);
}
// The same for a task that is_tiny_call().
template <class Body>
[[gnu::always_inline]] inline void run_tiny(Member& member, Body body) noexcept {
  if (member.tasks.child != nullptr) [[unlikely]]
    offer_child(member);
  member.tasks.tiny_from = member.tasks.bare + 1;
  member.tasks.unasked = kUnasked;
  run_bare_below(member, body);
  member.tasks.tiny_from = team::TaskState::kNever;
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
  if (member.tasks.bare != 0) return;  // a bare task has had no children
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
// The task is no longer counted by its parent and group; its record is freed as by end_record().
void leave_counts(Member& member, Task& task) noexcept;
// The task, which is counted, ends although no thread has run it.
void leave_unrun(Member& member, Task& task) noexcept;

}  // namespace vicino::tasking
