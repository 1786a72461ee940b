// tasks.cpp: explicit tasks: spawned, run, waited for.
//
// A member deals with tasks while it is counted at work in its epoch's ledger (task/ledger.hpp):
// from its first spawn, or from when it looks for some while it waits, until it has run dry at a
// barrier.
//
// What may run on top of a suspended tied task is what descends from it (OpenMP 5.2, section 12.9:
// the task scheduling constraint); Member::tied is the innermost. At a barrier there is none.
#include "team/tasks.hpp"

#include "team/attentive.hpp"
#include "team/cancel.hpp"
#include "team/reductions.hpp"

namespace vicino::team {
namespace {

bool may_run(const Member& member, Task& task) noexcept {
  return member.tied == nullptr || task.may_move() || task.descends_from(*member.tied);
}

void start_work(Member& member) noexcept {
  member.ledger->join(member.epoch);
  member.at_work = true;
}

void stop_work(Member& member) noexcept {
  member.worker->heap().flush();
  member.at_work = false;
  const int64_t balance = member.balance;
  member.balance = 0;
  if (member.ledger->leave(balance)) member.team->rest.nudge();
}

// Whoever sleeps for want of work and may run the task is woken; one of them.
[[gnu::noinline]] void wake_one_for(Member& member, Task& task) noexcept {
  Team& team = *member.team;
  for (int i = 1; i < team.size; ++i) {
    Member& other = team.member((member.id + i) % team.size);
    if (other.asleep_at.load(std::memory_order_acquire) == nullptr) continue;
    Task* const on = other.asleep_on.load(std::memory_order_relaxed);
    if (on != nullptr && !task.may_move() && !task.descends_from(*on)) continue;
    sync::Gate* const gate = other.asleep_at.exchange(nullptr, std::memory_order_acq_rel);
    if (gate == nullptr) continue;
    team.sleeping.fetch_sub(1, std::memory_order_relaxed);
    gate->nudge();
    return;
  }
}

void push(Member& member, Task& task) {
  member.deque.push(&task);
  plat::light_fence();  // A1 of attentive.hpp
  if (member.team->sleeping.load(std::memory_order_seq_cst) > 0) [[unlikely]]
    wake_one_for(member, task);
}

// To the family of the task's own children the member is either their parent's owner or not.
bool owns(const Member& member, Task& task) noexcept { return task.owner() == &member; }

void join_families(Member& member, Task& task) noexcept {
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

void free_record(Member& member, Task* task) noexcept {
  delete task->icvs;
  member.worker->heap().give(task, task->origin);
}

// Drops a reference to a record, and to those above it that are free by that.
void drop_record(Member& member, Task* task) noexcept {
  while (task->children.drop()) {
    Task* const parent = task->parent();
    free_record(member, task);
    task = parent;
  }
}

// The task has ended. Its record goes, or stays for as long as children of it do; then it holds its
// parent's, so that who walks up from there finds only records (descends_from).
void end_record(Member& member, Task& task) noexcept {
  if (task.children.alone()) return free_record(member, &task);
  task.set_owner(nullptr);
  Task* const parent = task.parent();
  parent->children.hold();
  if (task.children.end()) {
    free_record(member, &task);
    drop_record(member, parent);
  }
}

void ring(Member* owner) noexcept { owner->bell.nudge(); }

void leave_group(Member& member, Group& group) noexcept {
  if (group.leader == &member) {
    group.tasks.remove_here();
    return;
  }
  Member* const leader = group.leader;  // the group may be gone after the next line
  if (group.tasks.remove_away() == task::Family::Left::kWake) ring(leader);
}

void leave_parent(Member& member, Task& parent) noexcept {
  if (owns(member, parent)) {
    parent.children.remove_here();
    return;
  }
  Member* const owner = parent.owner();  // the record may be gone after the next line
  switch (parent.children.remove_away()) {
    case task::Family::Left::kWake:
      return ring(owner);
    case task::Family::Left::kFree: {
      Task* const above = parent.parent();
      free_record(member, &parent);
      return drop_record(member, above);
    }
    case task::Family::Left::kSome:
      return;
  }
}

void finish(Member& member, Task& task) noexcept {
  --member.balance;
  Task& parent = *task.parent();
  Group* const group = task.group;
  end_record(member, task);
  if (group != nullptr) leave_group(member, *group);
  leave_parent(member, parent);
}

void suspend(Member& member, Suspended& outer) noexcept {
  outer.task = member.task;
  outer.tied = member.tied;
  outer.floor = member.floor;
  outer.icvs = member.icvs;
  if (member.icvs == &member.own) [[unlikely]]
    outer.own = member.own;
  ++member.worker->tasks_below;
}

void resume(Member& member, const Suspended& outer) noexcept {
  if (outer.icvs == &member.own) [[unlikely]]
    member.own = outer.own;
  member.task = outer.task;
  member.tied = outer.tied;
  member.floor = outer.floor;
  member.icvs = outer.icvs;
  --member.worker->tasks_below;
}

// The task goes on, or starts, with what the member has now.
void keep_icvs(Member& member, Task& task) {
  delete task.icvs;
  task.icvs = new Icvs(*member.icvs);
}

// The body runs, or its next part; that of a task whose group was cancelled before it had begun
// only frees what it holds.
bool run_body(Member& member, Task& task) noexcept {
  if (member.team->icvs.cancellation && !task.is(Task::kBegun) && is_cancelled(member, task))
      [[unlikely]]
    task.flags |= Task::kDiscarded;
  const bool done = task.body(member, task);
  if (!done) task.flags |= Task::kBegun;
  return done;
}

// What runs on top of the task from here on.
void enter(Member& member, Task& task) noexcept {
  member.task = &task;
  if (task.is(Task::kUntied)) return;
  task.set_owner(&member);
  member.tied = &task;
  member.floor = member.deque.bottom();
}

// Runs a task that is counted in its families, or the next part of an untied one.
void run(Member& member, Task& task) noexcept {
  Suspended outer;
  suspend(member, outer);
  enter(member, task);
  member.icvs = task.icvs != nullptr ? task.icvs : &member.team->icvs;
  const bool done = run_body(member, task);
  if (!done && member.icvs == &member.own) keep_icvs(member, task);
  resume(member, outer);
  if (done)
    finish(member, task);
  else
    push(member, task);
}

// The oldest task of another member that may run here.
Task* steal(Member& member) noexcept {
  Team& team = *member.team;
  const auto wanted = [&member](Task* task) { return may_run(member, *task); };
  const int n = team.size;
  int victim = member.id + 1 + static_cast<int>(plat::rnd() % static_cast<uint64_t>(n - 1));
  for (int tries = 1; tries < n; ++tries, ++victim) {
    if (victim % n == member.id) ++victim;
    Task* task;
    auto& deque = team.member(victim % n).deque;
    for (;;) {
      const auto got = deque.steal(task, wanted);
      if (got == task::Deque<Task>::Stolen::kTask) return task;
      if (got != task::Deque<Task>::Stolen::kLostRace) break;
    }
  }
  return nullptr;
}

Task* find(Member& member) noexcept {
  while (Task* task = member.deque.pop(member.floor)) {
    if (may_run(member, *task)) return task;
    member.team->shared_tasks.put(task);  // left by an untied task that ran in between
  }
  const auto wanted = [&member](Task* task) { return may_run(member, *task); };
  if (Task* task = member.team->shared_tasks.take(wanted)) return task;
  return member.team->size > 1 ? steal(member) : nullptr;
}

}  // namespace

bool help(Member& member) noexcept {
  if (member.ledger == nullptr) return false;
  if (!member.at_work) {
    if (!member.ledger->enter(member.epoch)) return false;
    member.at_work = true;
  }
  if (Task* task = find(member)) {
    run(member, *task);
    return true;
  }
  if (member.tied == nullptr) stop_work(member);
  return false;
}

bool work_waits(Member& member) noexcept {
  if (member.ledger == nullptr) return false;
  const bool counted = member.at_work;
  if (!counted) {
    if (!member.ledger->enter(member.epoch)) return false;
    member.at_work = true;
  }
  plat::heavy_fence();  // A1
  Team& team = *member.team;
  const auto wanted = [&member](Task* task) { return may_run(member, *task); };
  bool waits = team.shared_tasks.offers(wanted);
  for (int i = 0; i < team.size && !waits; ++i)
    waits = i != member.id && team.member(i).deque.offers(wanted);
  if (!counted) stop_work(member);
  return waits;
}

void discard(Member& member, Task& task) noexcept { free_record(member, &task); }

void spawn(Member& member, Task& task) {
  if (member.icvs != &member.team->icvs) keep_icvs(member, task);
  if (!member.at_work) start_work(member);
  join_families(member, task);
  ++member.balance;
  push(member, task);
}

void begin_at_once(Member& member, Task& task, Suspended& outer) noexcept {
  suspend(member, outer);
  enter(member, task);
}

void end_at_once(Member& member, Task& task, const Suspended& outer) noexcept {
  resume(member, outer);
  end_record(member, task);
}

void run_at_once(Member& member, Task& task) noexcept {
  Suspended outer;
  begin_at_once(member, task, outer);
  while (!run_body(member, task)) {
  }
  end_at_once(member, task, outer);
}

// A task that may move between threads has no owner, so its families are waited for as they are.
void wait_for_family(Member& member, task::Family& family, bool owned) noexcept {
  while (family.live() != 0) {
    if (help(member)) continue;
    if (!owned) {
      plat::Budget budget{.ns = 1000, .share_core = true};
      plat::wait_on(family.word(), family.word().load(std::memory_order_relaxed), budget);
      continue;
    }
    family.settle();
    attend(member, family.word(), member.bell,
           [&family](uint64_t word) { return family.live_by(word) == 0; });
    family.unsettle();
  }
}

void yield_to_task(Member& member) noexcept {
  if (member.at_work) help(member);
}

void begin_group(Member& member) {
  Task& task = *member.task;
  task::Heap::Origin origin;
  auto* group = new (member.worker->heap().take(sizeof(Group), origin)) Group;
  group->origin = origin;
  group->leader = owns(member, task) ? &member : nullptr;
  group->outer = task.inner;
  task.inner = group;
}

void end_group(Member& member) noexcept {
  Group& group = *member.task->inner;
  wait_for_family(member, group.tasks, group.leader == &member);
  member.task->inner = group.outer;
  if (group.reductions != nullptr) group.reductions->finish(member);
  member.worker->heap().give(&group, group.origin);
}

void run_dry(Member& member) noexcept {
  member.tied = nullptr;
  member.floor = 0;
  if (member.at_work || member.ledger->opened(member.epoch))
    while (help(member)) {
    }
}

void finish_all(Member& member) noexcept {
  run_dry(member);
  task::Ledger& ledger = *member.ledger;
  const uint64_t epoch = member.epoch;
  attend(member, ledger.words(), member.team->rest,
         [epoch](uint64_t word) { return task::Ledger::over_by(word, epoch); });
}

}  // namespace vicino::team
