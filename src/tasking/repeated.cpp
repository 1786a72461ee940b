#include "tasking/repeated.hpp"

#include <algorithm>
#include <memory>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/say.hpp"
#include "graph/repeats.hpp"
#include "tasking/dependences.hpp"
#include "tasking/tasks.hpp"

namespace vicino::tasking {

namespace {

struct HeldTasks final : team::Kept {
  graph::Follower follower;
  std::vector<Task*> tasks;  // those of its sequence so far, if they are held back
};

using Dependences = std::span<const task::Dependence>;

// The tasks count as generated already, so nobody could be told.
template <class Act>
auto or_die(Act act) {
  try {
    return act();
  } catch (const std::bad_alloc&) {
    die("no memory to repeat tasks: run without VICINO_TASKGRAPH=site");
  }
}

HeldTasks& held_by(const Member& member) noexcept {
  return static_cast<HeldTasks&>(*member.tasks.held);
}

// Whether the member's tasks may be those of a sequence.
bool generates_sequence(const Member& member) noexcept {
  return member.tasks.standing.is_in_implicit() && member.team->size > 1 &&
         !member.team->icvs.cancellation();
}

bool can_be_held(const Task& task, Dependences dependences) noexcept {
  return task.vertex == nullptr && task.priority == 0 && !task.is(Task::kUntied) &&
         std::ranges::none_of(dependences, [](const task::Dependence& one) {
           return one.access == task::Access::kMemory;
         });
}

int run_held(const uint32_t* tasks, size_t count, void* held) {
  const auto& all = *static_cast<const std::vector<Task*>*>(held);
  Member& member = *team::self;
  for (const uint32_t task : std::span(tasks, count)) run_counted(member, *all[task]);
  return 0;
}

void offer_in_order(Member& member, HeldTasks& held) {
  for (size_t i = 0; i < held.tasks.size(); ++i)
    enter_order(member, *held.tasks[i], held.follower.dependences(i));
  held.tasks.clear();
}

// Null if there can be no such graph, or nobody to run it.
graph::TaskGraph* graph_of(graph::Repeat& repeat) {
  if (run_graph == nullptr) return nullptr;
  try {
    return &repeat.graph();
  } catch (const std::length_error&) {
    return nullptr;
  }
}

}  // namespace

bool hold_back(Member& member, Task& task, Dependences dependences, bool deferrable) {
  if (!generates_sequence(member)) return false;
  return or_die([&] {
    if (member.tasks.held == nullptr) member.tasks.held = std::make_unique<HeldTasks>();
    HeldTasks& held = held_by(member);
    if (!deferrable) {
      let_go(member);
      return false;
    }
    // Where an earlier task may still have to run first, only the table knows the order.
    if (!held.follower.is_under_way() && !has_empty_table(member)) return false;
    if (!can_be_held(task, dependences)) {
      offer_in_order(member, held);
      held.follower.refuse();
      return false;
    }
    if (!held.follower.add(task.function, dependences)) {
      offer_in_order(member, held);
      return false;
    }
    account(member, task);
    held.tasks.push_back(&task);
    return true;
  });
}

void let_go(Member& member) {
  if (!member.tasks.standing.is_in_implicit()) return;
  HeldTasks& held = held_by(member);
  if (!held.follower.is_under_way()) return;
  or_die([&] {
    const std::shared_ptr<graph::Repeat> repeat = held.follower.complete();
    graph::TaskGraph* const graph = repeat != nullptr ? graph_of(*repeat) : nullptr;
    std::vector<Task*> tasks;
    if (graph != nullptr)
      tasks.swap(held.tasks);
    else
      offer_in_order(member, held);
    held.follower.end();
    if (graph != nullptr) run_graph(*graph, repeat->sequence().code(0), run_held, &tasks);
  });
}

}  // namespace vicino::tasking
