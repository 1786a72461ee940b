// tasks.cpp: explicit tasks: spawned, run, waited for.
//
// A member deals with tasks while its epoch's termination detector (task/termination.hpp) counts it
// at work: from its first spawn, or from its first look for tasks while it waits, until it has run
// dry at a barrier.
//
// Only tasks that descend from a suspended tied task may run on top of it (OpenMP 5.2, section
// 12.9: the task scheduling constraint). TaskState::tied is the innermost tied task, or an untied one
// deep in the stack (kDeepUntied); at a barrier there is none.
//
// Invariants
//  B1 a member that runs a counted task has no bare tasks: its present task waits or yields, and
//     has got a record before that (Member::task()). A task without a record has nothing to wait
//     for.
//  B2 TaskState::child is set only while the untied task that generated the child is the recorded
//     one: before another task comes on top of it, and at the end of its part, the child is offered
//     or run. gcc's tasks have no parts and never set it; a bare task of theirs finds it set only
//     where clang's untied task calls code by gcc.
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
#include "tasking/help.hpp"
#include "tasking/ready.hpp"
#include "tasking/reductions.hpp"
#include "tasking/repeated.hpp"
#include "team/cancelled.hpp"
#include "team/late_start.hpp"

namespace vicino::tasking {

void stop_work(Member& member) noexcept {
  member.worker->flush_heaps();
  member.tasks.at_work = false;
  const int64_t balance = member.tasks.balance;
  member.tasks.balance = 0;
  if (member.tasks.termination->leave(balance)) member.team->tasks.rest.notify();
}

namespace {

void start_work(Member& member) noexcept {
  if (member.id == 0 && member.team->was_begun_alone()) [[unlikely]]
    call_late_members(*member.team);
  member.tasks.termination->join(member.tasks.epoch);
  member.tasks.at_work = true;
}

// Whether the member owns the pending count of the task's children.
bool owns(const Member& member, Task& task) noexcept { return task.owner() == &member; }

void join_counts(Member& member, Task& task) noexcept {
  Task& parent = *task.parent();
  if (owns(member, parent))
    parent.children.add_here();
  else
    parent.children.add_away();
  if (Group* group = task.group) {
    if (group->leader == &member)
      group->tasks.add_here();
    else
      group->tasks.add_away();
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
  --member.tasks.balance;
  ++member.worker->counts().executed;
  leave_counts(member, task);
}

// The task will start, or go on, with a copy of the member's present ICVs.
void keep_icvs(Member& member, Task& task) {
  delete task.icvs;
  task.icvs = new Icvs(*member.icvs);
}

// Whether the thread is to learn from a queued task how long such tasks take. Once they are short it
// knows that from the calls. But while members look for tasks, short ones that are not tiny are queued,
// and they may have become tiny since what they make is known to be: so some of them are timed. An
// untied task has parts, and is never a call.
bool teaches(const Member& member, Task& task) noexcept {
  constexpr int kOneInBits = 2;
  if (task.function == nullptr || !member.team->tasks.learns_lengths || task.is(Task::kUntied))
    return false;
  const task::Length& length = member.worker->lengths.find(task.function, task.depth() - 1);
  if (!length.is_short()) return true;
  return !length.is_tiny() && spread(member.worker->counts().executed.value(), kOneInBits) == 0;
}

// The member that made the task, if it is another one and wants to know how long such tasks take. It
// stays in the team at least until the task is done.
Member* asker(const Member& member, Task& task) noexcept {
  Member* const maker = task.parent()->owner();
  if (maker == nullptr || maker == &member) return nullptr;
  const bool asks = maker->worker->asked_length.is_asked(task.function, task.depth() - 1);
  return asks ? maker : nullptr;
}

// An untied task may give its locks back at another member, where its next part runs.
void take_locks(Worker& worker, uint32_t before, Task& task) noexcept {
  const uint32_t held = std::max(worker.locks(), before) - before;
  task.locks = static_cast<uint16_t>(held);
  worker.tasks_below -= held * Worker::kMany;
}

// Runs a counted task, or the next part of an untied one. Returns the task to be run next, or null:
// the child for which an untied task has set itself aside. The untied task may go on at another
// member meanwhile, so this is true child-first order. An untied task that holds a lock goes on first.
Task* run_once(Member& member, Task& task) noexcept {
  VICINO_CHECK(B1, member.tasks.bare == 0);
  std::optional<Timing> timing;
  const uint32_t level = task.depth() - 1;
  Member* const asks = asker(member, task);
  if (asks != nullptr || teaches(member, task)) timing.emplace(member, task.function, level);
  const Suspended outer(member, task);
  member.icvs = task.icvs != nullptr ? task.icvs : &member.team->icvs;
  const uint32_t locks = member.worker->locks();
  member.worker->tasks_below += std::exchange(task.locks, uint16_t{0}) * Worker::kMany;
  const bool done = run_body(member, task);
  if (member.worker->locks() != locks) [[unlikely]]
    take_locks(*member.worker, locks, task);
  if (!done && member.icvs == &member.own) keep_icvs(member, task);
  if (timing) {
    const std::optional<uint64_t> ns = timing->end_of_queued(member);
    if (ns && asks != nullptr) asks->worker->asked_length.answer(task.function, level, *ns);
  }
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
  return std::exchange(member.tasks.child, nullptr);
}

}  // namespace

void run_counted(Member& member, Task& task) noexcept {
  for (Task* next = &task; next != nullptr;) next = run_once(member, *next);
}

namespace {

// Runs a task that may run here; false if there was none.
bool run_found(Member& member, const task::PendingCount* awaited = nullptr) noexcept {
  Task* const task = find(member, awaited);
  if (task == nullptr) return false;
  stop_looking(member);
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

bool help(Member& member, const task::PendingCount* awaited) noexcept {
  if (member.tasks.termination == nullptr) return false;
  if (!member.tasks.at_work) {
    if (!member.tasks.termination->enter(member.tasks.epoch)) return false;
    member.tasks.at_work = true;
  }
  if (run_found(member, awaited)) return true;
  if (is_over(awaited)) return false;  // on top of a tied task: T1 of task/attend.hpp
  look_in_vain(member);
  // A free agent waits only within a task, and stays counted until it leaves the team.
  if (member.tasks.tied == nullptr && !is_agent(member)) stop_work(member);
  return false;
}

bool work_waits(Member& member) noexcept {
  return member.tasks.termination != nullptr &&
         task::look_again(
             *member.tasks.termination, member.tasks.epoch, member.tasks.at_work,
             [&] { return others_offer(member); }, [&] { stop_work(member); });
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
  if (member.tasks.child != nullptr) [[unlikely]]
    offer(member, *std::exchange(member.tasks.child, nullptr));
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
  Task& task = *member.tasks.recorded;
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
  if (!member.tasks.at_work) start_work(member);
  join_counts(member, task);
  ++member.tasks.balance;
  ++member.worker->counts().spawned;
}

void spawn(Member& member, Task& task) {
  account(member, task);
  offer_child(member);
  if (member.tasks.recorded->is(Task::kUntied)) [[unlikely]]
    member.tasks.child = &task;
  else
    offer(member, task);
}

namespace {

// No thread takes the tasks of a team of one while it makes more. By VICINO_TASK_CALLS=none tasks of
// other teams wait, however many do: one that is run at once may wait for the code after it.
bool has_plenty(Member& member) noexcept {
  constexpr uint64_t kPlenty = 256;
  if (member.team->size == 1) return true;
  return member.tasks.deque.holds(kPlenty) &&
         config::settings().task_calls.way != config::TaskCalls::kNone;
}

// VICINO_TASK_CALLS with another value than short. A member's random numbers depend on nothing else
// that happens.
bool is_call_by_setting(Member& member) noexcept {
  const config::TaskCalls& setting = config::settings().task_calls;
  if (member.team->tasks.queue != task::QueueKind::kDeque) return false;
  if (setting.way != config::TaskCalls::kDrawn) return setting.way == config::TaskCalls::kAll;
  const uint64_t number = uint64_t{static_cast<uint32_t>(member.id)} << 40 | member.tasks.drawn++;
  return splitmix64(splitmix64(setting.seed) ^ number) >> 63 != 0;
}

// Whether another member looks for a task, or would: before an epoch's first task is queued none
// does.
bool is_wanted(const Member& member) noexcept {
  return !member.tasks.at_work || member.team->tasks.hunger.is_felt();
}

// Whether a short task that the member makes is to lie in its deque for others: when they look for
// one, and from then on while they take what lies there. A member that has taken a short task will
// soon look again; if it had to ask for each, it would wait longer than it works.
bool stocks(Member& member) noexcept {
  constexpr uint64_t kEnoughReady = 32;
  constexpr uint32_t kUntaken = 64;  // short tasks, until the member stops
  team::TaskState& mine = member.tasks;
  const uint64_t stolen = mine.deque.stolen();
  if (is_wanted(member) || stolen != mine.stolen_before)
    mine.stocks_on = kUntaken;
  else if (mine.stocks_on > 0)
    --mine.stocks_on;
  mine.stolen_before = stolen;
  return mine.stocks_on > 0 && mine.deque.size() < kEnoughReady;
}

// While thieves take all tasks that the member makes, it runs none of them, and learns from the thieves.
void ask_thieves(Member& member, const void* code) noexcept {
  team::TaskState& mine = member.tasks;
  const uint64_t stolen = mine.deque.stolen();
  if (stolen == std::exchange(mine.stolen_asked, stolen)) return;
  if (const std::optional<uint32_t> ns = member.worker->asked_length.ask(code, mine.level))
    member.worker->lengths.add(code, mine.level, *ns);
}

Start choose_by_length(Member& member, const void* code, task::Length& length) noexcept {
  if (!length.is_tiny()) ask_thieves(member, code);
  if (!length.is_short()) return Start::kQueued;
  if (length.is_tiny()) {
    if (feeds(member)) return Start::kQueued;
    // is_tiny_call() has left this one to be timed.
    if (member.team->tasks.calls_short && member.worker->lengths.are_tiny(code, member.tasks.level))
      return Start::kTimedCall;
    if (is_wanted(member)) length.time_soon();
  } else if (stocks(member)) {
    return Start::kQueued;
  }
  return length.takes_call() ? Start::kCall : Start::kTimedCall;
}

}  // namespace

bool runs_at_once(Member& member) noexcept {
  member.worker->stack.look();
  return (has_plenty(member) && has_room_for_call(member)) ||
         member.tasks.recorded->is(Task::kFinal);
}

Start choose_start(Member& member, const void* code) noexcept {
  task::Length& length = member.worker->lengths.find(code, member.tasks.level);
  const team::TeamTasks& team = member.team->tasks;
  if (runs_at_once(member))
    return team.learns_lengths && !length.is_known() ? Start::kTimedCall : Start::kCall;
  // A waiting task of a higher priority comes first; whether one is taken meanwhile does not matter.
  if (!has_room_for_call(member) || !team.urgent.empty()) return Start::kQueued;
  if (team.learns_lengths) return choose_by_length(member, code, length);
  return is_call_by_setting(member) ? Start::kCall : Start::kQueued;
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
[[gnu::noinline]] void await_pending(Member& member, task::PendingCount& pending,
                                     bool owned) noexcept {
  if (!owned) {
    plat::Budget budget{.ns = 1000, .share_core = true};
    plat::wait_on(pending.word(), pending.word().load(std::memory_order_relaxed), budget);
    return;
  }
  pending.settle();
  Attentive waiter(member);
  waiter.awaited = &pending;
  waiter.attend(pending.word(), member.asleep.pending_done,
                [&pending](uint64_t word) { return pending.live_by(word) == 0; });
  pending.unsettle();
}

}  // namespace

void wait_for_pending(Member& member, task::PendingCount& pending, bool owned) noexcept {
  if (member.tasks.held != nullptr) [[unlikely]]
    let_go(member);
  offer_child(member);
  ++member.tasks.pending_waits;
  while (pending.live() != 0)
    if (!help(member, owned ? &pending : nullptr)) await_pending(member, pending, owned);
  stop_looking(member);
  --member.tasks.pending_waits;
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
  if (!member.tasks.at_work) return;
  member.task();  // B1
  if (member.tasks.recorded->is(Task::kWatched)) [[unlikely]]
    return yield_watched(member);
  run_found(member);
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

[[gnu::always_inline]] inline void close_group(Member& member) noexcept {
  Group& group = *member.tasks.recorded->inner;
  wait_for_pending(member, group.tasks, group.leader == &member);
  member.tasks.recorded->inner = group.outer;
  if (group.reductions != nullptr) group.reductions->finish(member);
  member.worker->heap().give(&group, group.origin);
}

[[gnu::cold]] void close_watched_group(Member& member) noexcept {
  const event::Waiting waiting(ompt::Sync::kTaskgroup);
  close_group(member);
}

}  // namespace

void end_group(Member& member) noexcept {
  if (member.tasks.recorded->is(Task::kWatched)) [[unlikely]]
    return close_watched_group(member);
  close_group(member);
}

void run_dry(Member& member) noexcept {
  if (member.tasks.held != nullptr) [[unlikely]]
    let_go(member);
  if (member.tasks.implicit.vertex != nullptr) [[unlikely]]
    drop_table(member, member.tasks.implicit);
  member.tasks.tied = nullptr;
  member.tasks.floor = 0;
  if (member.tasks.at_work || member.tasks.are_about())
    while (help(member)) {
    }
}

void finish_all(Member& member) noexcept {
  run_dry(member);
  task::Termination& termination = *member.tasks.termination;
  const uint64_t epoch = member.tasks.epoch;
  Attentive(member).attend(termination.words(), member.team->tasks.rest, [epoch](uint64_t word) {
    return task::Termination::over_by(word, epoch);
  });
}

}  // namespace vicino::tasking

namespace vicino::team {

// Outermost first: each record is the parent of the next.
void make_records(Member& member) {
  member.tasks.tiny_from = TaskState::kNever;
  const uintptr_t level_from = member.tasks.level_from;
  for (uint32_t i = std::exchange(member.tasks.bare, 0); i > 0; --i) {
    Task& task = *tasking::new_task(member, sizeof(tasking::Suspended), 0);
    task.data = new (&task + 1) tasking::Suspended(member, task);
    member.tasks.level_from = level_from;  // the record is new, and its task is not
  }
}

}  // namespace vicino::team
