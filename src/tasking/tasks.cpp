// tasks.cpp: explicit tasks: spawned, run, waited for.
//
// A member deals with tasks while its epoch's termination detector (task/termination.hpp) counts it
// at work: from its first spawn, or from its first look for tasks while it waits, until it has run
// dry at a barrier.
//
// Invariant
//  B1 a member that runs a counted task has no bare tasks: its present task waits or yields, and
//     has got a record before that (Member::task()). A task without a record has nothing to wait
//     for.
//
// Memory order: the only atomic of this file is the counter of task_number(). It is relaxed, since
// a number needs to be unique and orders nothing. What one task writes reaches others by the
// pending counts (T1 and T2 of task/pending_count.hpp), by the termination detector (L1 and L2 of
// task/termination.hpp) and by the queues of ready tasks.
#include "tasking/tasks.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/hash.hpp"
#include "config/settings.hpp"
#include "event/sync.hpp"
#include "event/tasks.hpp"
#include "tasking/attentive.hpp"
#include "tasking/dependences.hpp"
#include "tasking/free_agents.hpp"
#include "tasking/ready.hpp"
#include "tasking/reductions.hpp"
#include "tasking/repeated.hpp"
#include "team/cancelled.hpp"
#include "team/late_start.hpp"

namespace vicino::tasking {

void stop_work(Member& member) noexcept {
  member.worker->flush_heaps();
  if (member.tasks.epoch.leave()) member.team->tasks.rest.notify();
}

namespace {

void start_work(Member& member) noexcept {
  if (member.team->parent == nullptr && begins_outside_regions != nullptr) begins_outside_regions();
  team::need_all(member);
  member.tasks.epoch.join();
}

// Whether the member owns the pending count of the task's children.
bool owns(const Member& member, Task& task) noexcept { return task.owner() == &member; }

// The task, and as many more of the same parent and group as make up `count`. Inlined, because each new task comes here.
[[gnu::always_inline]] inline void join_counts(Member& member, Task& task,
                                               uint32_t count = 1) noexcept {
  Task& parent = *task.parent();
  if (owns(member, parent))
    parent.children.add_here(count);
  else
    parent.children.add_away(count);
  if (Group* group = task.group) {
    if (group->leader == &member)
      group->tasks.add_here(count);
    else
      group->tasks.add_away(count);
  }
}

// Drops a reference to a record. If that frees the record, it drops the one to the parent's record,
// and so on upwards.
void drop_record(Member& member, Task* task) noexcept {
  while (task->children.drop()) {
    Task* const parent = task->parent();
    free_record(member, *task);
    task = parent;
  }
}

void wake_owner(Member* owner) noexcept { owner->asleep.pending_done.notify(); }

void leave_group(Member& member, Group& group) noexcept {
  if (group.leader == &member) {
    group.tasks.remove_here();
    return;
  }
  Member* const leader = group.leader;  // the group may be freed after the next line
  if (group.tasks.remove_away() == task::PendingCount::Left::kWake) wake_owner(leader);
}

void leave_parent(Member& member, Task& parent) noexcept {
  if (owns(member, parent)) {
    parent.children.remove_here();
    return;
  }
  Member* const owner = parent.owner();  // the record may be freed after the next line
  switch (parent.children.remove_away()) {
    case task::PendingCount::Left::kWake:
      return wake_owner(owner);
    case task::PendingCount::Left::kFree: {
      Task* const above = parent.parent();
      free_record(member, parent);
      return drop_record(member, above);
    }
    case task::PendingCount::Left::kSome:
      return;
  }
}

// The body of a counted task has ended; an unfulfilled event may keep the task from being finished.
void finish(Member& member, Task& task) noexcept {
  if (task.vertex != nullptr) [[unlikely]] {
    if (!end_body(member, task)) return;
    complete_vertex(member, task);
  }
  member.tasks.epoch.finish_one();
  ++member.worker->counts().executed;
  leave_counts(member, task);
}

// The task will start, or go on, with a copy of the member's present ICVs.
void keep_icvs(Member& member, Task& task) {
  delete task.icvs;
  task.icvs = new Icvs(*member.icvs);
}

// Runs a counted task, or the next part of an untied one. Returns the task to be run next, or null:
// the child for which an untied task has set itself aside. The untied task may go on at another
// member meanwhile, so this is true child-first order. An untied task that holds a lock goes on first.
Task* run_once(Member& member, Task& task) noexcept {
  VICINO_CHECK(B1, !member.tasks.standing.is_bare());
  const QueuedTiming timing(member, task);
  const Suspended outer(member, task);
  member.icvs = task.icvs != nullptr ? task.icvs : &member.team->icvs;
  task::CallBudget& budget = member.worker->budget;
  const uint32_t locks = budget.locks();
  budget.give_locks(std::exchange(task.locks, uint16_t{0}));
  const bool done = run_body(member, task);
  if (budget.locks() != locks) [[unlikely]]
    task.locks = static_cast<uint16_t>(budget.take_locks(locks));
  if (!done && member.icvs == &member.own) keep_icvs(member, task);
  timing.end(member);
  outer.resume(member);
  if (done) {
    offer_child(member);
    finish(member, task);
    return nullptr;
  }
  if (task.locks != 0) {  // the child may want one of them
    offer_child(member);
    return &task;
  }
  offer(member, task);
  return member.tasks.standing.take_child();
}

}  // namespace

void run_counted(Member& member, Task& task) noexcept {
  for (Task* next = &task; next != nullptr;) next = run_once(member, *next);
}

namespace {

// Runs a task that may run here; false if there was none.
bool run_found(Member& member, const task::PendingCount* awaited = nullptr,
               task::Idle* idle = nullptr) noexcept {
  Task* const task = find(member, awaited);
  if (task == nullptr) return false;
  if (idle != nullptr) idle->found();
  run_counted(member, *task);
  return true;
}

}  // namespace

void leave_counts(Member& member, Task& task) noexcept {
  Task& parent = *task.parent();
  Group* const group = task.group;
  end_record(member, task);
  if (group != nullptr) leave_group(member, *group);
  leave_parent(member, parent);
}

void leave_unrun(Member& member, Task& task) noexcept { finish(member, task); }

bool help(Member& member, const task::PendingCount* awaited, task::Idle* idle) noexcept {
  if (!member.tasks.epoch.enter()) return false;
  if (run_found(member, awaited, idle)) return true;
  if (is_over(awaited)) return false;  // on top of a tied task: T1 of task/attend.hpp
  if (idle != nullptr) idle->look_in_vain();
  // A free agent waits only within a task, and stays counted until it leaves the team.
  if (member.tasks.standing.is_at_barrier() && !is_agent(member)) stop_work(member);
  return false;
}

bool work_waits(Member& member) noexcept {
  return task::look_again(
      member.tasks.epoch, [&] { return others_offer(member); }, [&] { stop_work(member); });
}

void prepare_to_sleep(Member& member) noexcept {
  ++member.worker->counts().slept;
  member.worker->flush_heaps();
}

void discard(Member& member, Task& task) noexcept { free_record(member, task); }

Task* make_watched_record(Member& member, Task& parent, size_t bytes, uint8_t flags) {
  constexpr size_t kAlign = alignof(ompt::TaskRecord);
  const size_t at = (bytes + kAlign - 1) / kAlign * kAlign;
  Task* const task = make_record(member, parent, at + sizeof(ompt::TaskRecord), flags);
  if (task != nullptr) task->set_record(*new (reinterpret_cast<char*>(task) + at) ompt::TaskRecord);
  return task;
}

void offer_child(Member& member) {
  if (member.tasks.standing.has_child()) [[unlikely]]
    offer(member, *member.tasks.standing.take_child());
}

// The record holds its parent's, so that a walk up from its children finds only records
// (Task::descends_from()).
void keep_record(Member& member, Task& task) noexcept {
  task.set_owner(nullptr);
  Task* const parent = task.parent();
  parent->children.hold();
  if (task.children.end()) {
    free_record(member, task);
    drop_record(member, parent);
  }
}

void end_bare(Member& member) noexcept {
  Task& task = member.tasks.standing.innermost();
  static_cast<Suspended*>(task.data)->resume(member);
  if (task.vertex != nullptr) end_vertex(member, task);
  end_record(member, task);
}

void end_vertex(Member& member, Task& task) noexcept {
  end_body(member, task);
  complete_vertex(member, task);
}

// Worker::task_number() and depths are below kFirst.
uint32_t task_number(Member& member) noexcept {
  constexpr uint32_t kFirst = 1u << 30;
  static plat::atomic<uint32_t> last{0};
  Task& task = member.task();
  if (!task.is(Task::kUntied)) return member.worker->task_number();
  if (task.number == 0)
    task.number = kFirst | (last.fetch_add(1, std::memory_order_relaxed) & (kFirst - 1));
  return task.number;
}

namespace {

// If the task's group was cancelled and the task has not begun, its body will only free what it
// holds.
void discard_if_cancelled(Member& member, Task& task) noexcept {
  if (task.is(Task::kBegun) || !is_cancelled(member, task)) return;
  task.flags |= Task::kDiscarded;
  if (task.vertex != nullptr) leave_out(task);
}

}  // namespace

ompt::TaskStatus status_of(const Member& member, const Task& task, bool done) noexcept {
  if (!done) return ompt::TaskStatus::kSwitch;
  if (task.vertex != nullptr && tell_end_first(*task.vertex)) return ompt::TaskStatus::kDetach;
  const bool cancelled = member.team->icvs.cancellation() && is_cancelled(member, task);
  return cancelled ? ompt::TaskStatus::kCancel : ompt::TaskStatus::kComplete;
}

bool run_special_body(Member& member, Task& task) noexcept {
  if (member.team->icvs.cancellation()) discard_if_cancelled(member, task);
  const bool discarded = task.is(Task::kDiscarded);
  const bool watched = task.is(Task::kWatched);
  if (watched && discarded) event::task_discarded(task);
  if (watched && !discarded) event::body_begins(member, task);
  const bool done = task.body(member, task);
  if (watched && !discarded) event::body_ends(task, status_of(member, task, done));
  if (!done) task.flags |= Task::kBegun;
  return done;
}

void account(Member& member, Task& task) {
  if (member.icvs != &member.team->icvs) keep_icvs(member, task);
  if (!member.tasks.epoch.is_at_work()) start_work(member);
  join_counts(member, task);
  member.tasks.epoch.spawn_one();
  ++member.worker->counts().spawned;
}

void account(Member& member, std::span<Task* const> siblings) {
  if (siblings.empty()) return;
  if (member.icvs != &member.team->icvs)
    for (Task* task : siblings) keep_icvs(member, *task);
  if (!member.tasks.epoch.is_at_work()) start_work(member);
  join_counts(member, *siblings.front(), static_cast<uint32_t>(siblings.size()));
  member.tasks.epoch.spawn(static_cast<int64_t>(siblings.size()));
  member.worker->counts().spawned.add(siblings.size());
}

void spawn(Member& member, Task& task) {
  account(member, task);
  offer_child(member);
  if (member.tasks.standing.innermost().is(Task::kUntied)) [[unlikely]]
    member.tasks.standing.keep_child(task);
  else
    offer(member, task);
}

Suspended begin_at_once(Member& member, Task& task) noexcept {
  ++member.worker->counts().at_once;
  offer_child(member);
  if (task.vertex != nullptr && task.vertex->detached && !task.vertex->counted) {
    task.vertex->counted = true;  // the task may outlive its body
    account(member, task);
  }
  return Suspended(member, task);
}

void run_timed(Member& member, Task& task) noexcept {
  const Timing timing(member, task.function);
  run_at_once(member, task);
  timing.end(member);
}

void end_at_once(Member& member, Task& task, const Suspended& outer) noexcept {
  offer_child(member);
  outer.resume(member);
  if (task.vertex != nullptr) [[unlikely]] {
    hand_on_children(member, task);
    if (task.vertex->counted) return finish(member, task);
    end_vertex(member, task);
  }
  end_record(member, task);
}

namespace {

// The member may run no task now, and waits until others end theirs. Where the task may move
// between threads, its pending count has no owner: the member polls the word, and no thread wakes
// it. That load is relaxed, for the caller looks again by live(), an acquire (T2 of
// task/pending_count.hpp).
[[gnu::noinline]] void await_pending(Member& member, task::PendingCount& pending, bool owned,
                                     task::Idle& idle) noexcept {
  if (!owned) {
    plat::Budget budget{.ns = 1000, .share_core = true};
    plat::wait_on(pending.word(), pending.word().load(std::memory_order_relaxed), budget);
    return;
  }
  const auto is_done = [&pending](uint64_t word) { return pending.live_by(word) == 0; };
  pending.settle();
  Attentive(member, &pending).attend(pending.word(), member.asleep.pending_done, is_done, idle);
  pending.unsettle();
}

}  // namespace

void wait_for_pending(Member& member, task::PendingCount& pending, bool owned) noexcept {
  if (member.tasks.held != nullptr) [[unlikely]]
    let_go(member);
  offer_child(member);
  if (pending.live() == 0) return;
  member.tasks.pending_waits.enter();
  task::Idle idle(member.team->tasks);
  do
    if (!help(member, owned ? &pending : nullptr, &idle))
      await_pending(member, pending, owned, idle);
  while (pending.live() != 0);
  member.tasks.pending_waits.leave();
}

namespace {

[[gnu::cold]] void yield_watched(Member& member) noexcept {
  const event::Yielding yielding;
  run_found(member);
}

}  // namespace

void yield_to_task(Member& member) noexcept {
  if (member.tasks.held != nullptr) [[unlikely]]
    let_go(member);
  offer_child(member);
  if (!member.tasks.epoch.is_at_work()) return;
  member.task();  // B1
  if (member.tasks.standing.innermost().is(Task::kWatched)) [[unlikely]]
    return yield_watched(member);
  run_found(member);
}

void run_ready(Member& member) noexcept {
  if (member.tasks.held != nullptr) [[unlikely]]
    let_go(member);
  offer_child(member);
  while (run_found(member)) {
  }
}

void begin_group(Member& member) {
  Task& task = member.task();
  task::Heap::Origin origin;
  auto* group = new (member.worker->heap().take(sizeof(Group), origin)) Group;
  group->origin = origin;
  group->leader = owns(member, task) ? &member : nullptr;
  group->outer = task.inner;
  task.inner = group;
  if (task.is(Task::kWatched)) [[unlikely]]
    event::taskgroup_begins();
}

namespace {

[[gnu::noinline]] void end_by_flags(Member& member, const Group& group) noexcept {
  if (group.is(Group::kTimed))
    group.adds_to->fetch_add(plat::now() - group.since, std::memory_order_relaxed);
  if (group.is(Group::kReduces)) group.reductions->finish(member);
}

[[gnu::always_inline]] inline void close_group(Member& member) noexcept {
  Task& task = member.tasks.standing.innermost();
  Group& group = *task.inner;
  wait_for_pending(member, group.tasks, group.leader == &member);
  task.inner = group.outer;
  if (group.flags != 0) [[unlikely]]
    end_by_flags(member, group);
  member.worker->heap().give(&group, group.origin);
}

[[gnu::cold]] void close_watched_group(Member& member) noexcept {
  const event::Waiting waiting(ompt::Sync::kTaskgroup);
  close_group(member);
}

}  // namespace

void end_group(Member& member) noexcept {
  if (member.tasks.standing.innermost().is(Task::kWatched)) [[unlikely]]
    return close_watched_group(member);
  close_group(member);
}

void run_dry(Member& member) noexcept {
  if (member.tasks.held != nullptr) [[unlikely]]
    let_go(member);
  Task& implicit = member.tasks.standing.implicit();
  if (implicit.vertex != nullptr) [[unlikely]]
    drop_table(member, implicit);
  member.tasks.standing.come_to_barrier();
  if (member.tasks.epoch.is_at_work() || member.tasks.epoch.has_tasks())
    while (help(member)) {
    }
}

void finish_all(Member& member) noexcept {
  run_dry(member);
  const task::Termination& termination = member.tasks.epoch.termination();
  const uint64_t epoch = member.tasks.epoch.number();
  const auto is_over = [epoch](uint64_t word) { return task::Termination::over_by(word, epoch); };
  task::Idle idle(member.team->tasks);
  Attentive(member).attend(termination.words(), member.team->tasks.rest, is_over, idle);
}

void make_records(Member& member) {
  member.tasks.starts.forget_tiny();
  task::Level& level = member.tasks.standing.level();
  const task::Level::Outer present = level.present();
  for (uint32_t i = member.tasks.standing.take_bare(); i > 0; --i) {
    Task& task = *new_task(member, sizeof(Suspended), 0);
    task.data = new (&task + 1) Suspended(member, task);
    level.go_on(present);  // the record is new, and its task is not
  }
}

}  // namespace vicino::tasking
