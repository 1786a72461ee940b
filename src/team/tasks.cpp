// tasks.cpp: explicit tasks: spawned, run, waited for.
//
// A member deals with tasks while it is counted at work in its epoch's ledger (task/ledger.hpp):
// from its first spawn, or from when it looks for some while it waits, until it has run dry at a
// barrier.
//
// What may run on top of a suspended tied task is what descends from it (OpenMP 5.2, section 12.9:
// the task scheduling constraint); Member::tied is the innermost. At a barrier there is none.
#include "team/tasks.hpp"

#include <utility>

#include "team/attentive.hpp"
#include "team/cancel.hpp"
#include "team/dependences.hpp"
#include "team/ready.hpp"
#include "team/reductions.hpp"

namespace vicino::team {
namespace {

void start_work(Member& member) noexcept {
  member.ledger->join(member.epoch);
  member.at_work = true;
}

void stop_work(Member& member) noexcept {
  member.worker->flush_heaps();
  member.at_work = false;
  const int64_t balance = member.balance;
  member.balance = 0;
  if (member.ledger->leave(balance)) member.team->rest.nudge();
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

// Drops a reference to a record, and to those above it that are free by that.
void drop_record(Member& member, Task* task) noexcept {
  while (task->children.drop()) {
    Task* const parent = task->parent();
    free_record(member, *task);
    task = parent;
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
      free_record(member, parent);
      return drop_record(member, above);
    }
    case task::Family::Left::kSome:
      return;
  }
}

// A task that is counted has been run to its end; an event may keep it from being finished.
void finish(Member& member, Task& task) noexcept {
  if (task.node != nullptr) [[unlikely]] {
    if (!end_body(member, task)) return;
    complete_node(member, task);
  }
  --member.balance;
  ++member.worker->counts().executed;
  leave_families(member, task);
}

// The task goes on, or starts, with what the member has now.
void keep_icvs(Member& member, Task& task) {
  delete task.icvs;
  task.icvs = new Icvs(*member.icvs);
}

// Runs a task that is counted in its families, or the next part of an untied one. Gives the task to
// be run next, if there is one: the child for which an untied task has set itself aside. That task
// may go on elsewhere meanwhile: true child-first order.
Task* run_once(Member& member, Task& task) noexcept {
  VICINO_CHECK(B1, member.bare == 0);  // it waits, so it has a record
  const Suspended outer(member, task);
  member.icvs = task.icvs != nullptr ? task.icvs : &member.team->icvs;
  const bool done = run_body(member, task);
  if (!done && member.icvs == &member.own) keep_icvs(member, task);
  outer.resume(member);
  if (done) {
    offer_child(member);
    finish(member, task);
    return nullptr;
  }
  offer(member, task);
  return std::exchange(member.child, nullptr);
}

void run(Member& member, Task& task) noexcept {
  for (Task* next = &task; next != nullptr;) next = run_once(member, *next);
}

}  // namespace

void leave_families(Member& member, Task& task) noexcept {
  Task& parent = *task.parent();
  Group* const group = task.group;
  end_record(member, task);
  if (group != nullptr) leave_group(member, *group);
  leave_parent(member, parent);
}

void leave_unrun(Member& member, Task& task) noexcept { finish(member, task); }

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
  return member.ledger != nullptr &&
         task::look_again(
             *member.ledger, member.epoch, member.at_work, [&] { return others_offer(member); },
             [&] { stop_work(member); });
}

void discard(Member& member, Task& task) noexcept { free_record(member, task); }

void offer_child(Member& member) {
  if (member.child != nullptr) [[unlikely]]
    offer(member, *std::exchange(member.child, nullptr));
}

// The record holds its parent's, so that who walks up from its children finds only records
// (descends_from).
void keep_record(Member& member, Task& task) noexcept {
  task.set_owner(nullptr);
  Task* const parent = task.parent();
  parent->children.hold();
  if (task.children.end()) {
    free_record(member, task);
    drop_record(member, parent);
  }
}

// Outermost first: each is the parent of the next, and sets aside what that one was.
void make_records(Member& member) {
  for (uint32_t i = std::exchange(member.bare, 0); i > 0; --i) {
    Task& task = *new_task(member, sizeof(Suspended), 0);
    task.data = new (&task + 1) Suspended(member, task);
  }
}

void end_bare(Member& member) noexcept {
  Task& task = *member.recorded;
  static_cast<Suspended*>(task.data)->resume(member);
  if (task.node != nullptr) end_node(member, task);
  end_record(member, task);
}

void end_node(Member& member, Task& task) noexcept {
  end_body(member, task);
  complete_node(member, task);
}

// Numbers of threads and depths are below.
uint32_t task_number(Member& member) noexcept {
  constexpr uint32_t kFirst = 1u << 30;
  static plat::atomic<uint32_t> last{0};
  Task& task = member.task();
  if (!task.is(Task::kUntied)) return member.worker->task_number();
  if (task.number == 0)
    task.number = kFirst | (last.fetch_add(1, std::memory_order_relaxed) & (kFirst - 1));
  return task.number;
}

void discard_if_cancelled(Member& member, Task& task) noexcept {
  if (task.is(Task::kBegun) || !is_cancelled(member, task)) return;
  task.flags |= Task::kDiscarded;
  if (task.node != nullptr) leave_out(task);
}

void account(Member& member, Task& task) {
  if (member.icvs != &member.team->icvs) keep_icvs(member, task);
  if (!member.at_work) start_work(member);
  join_families(member, task);
  ++member.balance;
  ++member.worker->counts().spawned;
}

void spawn(Member& member, Task& task) {
  account(member, task);
  offer_child(member);
  if (member.recorded->is(Task::kUntied)) [[unlikely]]
    member.child = &task;
  else
    offer(member, task);
}

Suspended begin_at_once(Member& member, Task& task) noexcept {
  ++member.worker->counts().at_once;
  offer_child(member);
  if (task.node != nullptr && task.node->detached && !task.node->counted) {
    task.node->counted = true;  // it may outlive its body
    account(member, task);
  }
  return Suspended(member, task);
}

void end_at_once(Member& member, Task& task, const Suspended& outer) noexcept {
  offer_child(member);
  outer.resume(member);
  if (task.node != nullptr) [[unlikely]] {
    if (task.node->counted) return finish(member, task);
    end_node(member, task);
  }
  end_record(member, task);
}

// A task that may move between threads has no owner, so its families are waited for as they are.
void wait_for_family(Member& member, task::Family& family, bool owned) noexcept {
  offer_child(member);
  ++member.family_waits;
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
  --member.family_waits;
}

void yield_to_task(Member& member) noexcept {
  offer_child(member);
  if (!member.at_work) return;
  member.task();  // what runs on top of it has to find it
  help(member);
}

void begin_group(Member& member) {
  Task& task = member.task();
  task::Heap::Origin origin;
  auto* group = new (member.worker->heap().take(sizeof(Group), origin)) Group;
  group->origin = origin;
  group->leader = owns(member, task) ? &member : nullptr;
  group->outer = task.inner;
  task.inner = group;
}

void end_group(Member& member) noexcept {
  Group& group = *member.recorded->inner;
  wait_for_family(member, group.tasks, group.leader == &member);
  member.recorded->inner = group.outer;
  if (group.reductions != nullptr) group.reductions->finish(member);
  member.worker->heap().give(&group, group.origin);
}

void run_dry(Member& member) noexcept {
  if (member.implicit.node != nullptr) [[unlikely]]
    forget_children(member, member.implicit);
  member.tied = nullptr;
  member.floor = 0;
  if (member.at_work || member.tasks_about())
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
