#include "team/ready.hpp"

#include <sched.h>

#include <algorithm>

#include "config/settings.hpp"
#include "team/places.hpp"
#include "team/shape.hpp"
#include "team/worker.hpp"
#include "topo/machine.hpp"

namespace vicino::team {
namespace {

using Queue = task::Shared<Task>;
using Stolen = task::Deque<Task>::Stolen;

void wake_for(Team& team, int from, Task& task) noexcept {
  task::wake_for_work(team, from, [&team, &task](int i) {
    Task* const on = team.member(i).asleep_on.load(std::memory_order_relaxed);
    return on == nullptr || task.descends_from(*on);
  });
}

// Threads that may be anywhere are equally near.
std::vector<unsigned> distances_from(Member& member) {
  Team& team = *member.team;
  if (member.place < 0) return std::vector<unsigned>(static_cast<size_t>(team.size));
  std::vector<int> place_of;
  for (int i = 0; i < team.size; ++i) place_of.push_back(team.member(i).place);
  return thread_distances(topo::Machine::here(), places(), place_of, member.id);
}

const task::Neighbours& neighbours_of(Member& member) {
  const uint64_t arrangement = member.team->arrangements();
  if (member.neighbours == nullptr || member.neighbours_as_of != arrangement) {
    member.neighbours = std::make_unique<task::Neighbours>(member.id, distances_from(member));
    member.neighbours_as_of = arrangement;
  }
  return *member.neighbours;
}

// The node domain that a member is on now.
int node_of(const Member& member) noexcept {
  const int bound = bound_node(member);
  if (bound >= 0) return bound;
  const topo::Pu* pu = topo::Machine::here().pu_of(sched_getcpu());
  return pu == nullptr ? 0 : pu->node;
}

Queue& queue_of(Team& team, Task& task) {
  const auto nodes = static_cast<uint64_t>(team.node_tasks.size());
  const uint64_t node = task.home() >= 0 ? static_cast<uint64_t>(task.home())
                                         : team.next_node.fetch_add(1, std::memory_order_relaxed);
  return *team.node_tasks[static_cast<size_t>(node % nodes)];
}

// How many looks in vain it takes.
constexpr int kPatient = 4;

// A task whose data are on another node is taken only by who has found nothing nearer for a while:
// at the beginning of a taskloop a node's tasks are not all in sight at once.
bool is_near(Member& member, Task& task) noexcept {
  const int home = task.home();
  return home < 0 || member.dry >= kPatient || home == bound_node(member);
}

bool would_take(Member& member, Task& task) noexcept {
  return may_run(member, task) && is_near(member, task);
}

// From the queues of the nodes `first` to `last - 1`, counted from the nearest.
Task* take_by_node(Member& member, size_t first, size_t last) {
  const auto wanted = [&member](Task* task) { return would_take(member, *task); };
  const auto nodes = topo::Machine::here().nodes_nearest_first(node_of(member));
  for (const int node : nodes.subspan(first, last - first))
    if (Task* task = member.team->node_tasks[static_cast<size_t>(node)]->take(wanted)) return task;
  return nullptr;
}

Task* take_own(Member& member) {
  while (Task* task = member.deque.pop(member.floor)) {
    if (may_run(member, *task)) return task;
    offer_from_outside(*member.team, *task);  // left by an untied task that ran in between
  }
  return nullptr;
}

// The oldest task of a victim, if it may run here.
Task* steal_from(Member& victim, Member& thief) noexcept {
  Task* task = nullptr;
  const auto wanted = [&thief](Task* found) { return would_take(thief, *found); };
  while (victim.deque.steal(task, wanted) == Stolen::kLostRace) {
  }
  return task;
}

Distance distance_between(const Member& a, const Member& b) noexcept {
  if (a.place < 0) return Distance::kUnbound;
  const topo::Machine& machine = topo::Machine::here();
  const CpuSet& mine = places()[a.place];
  const CpuSet& theirs = places()[b.place];
  if (machine.cache_group_of(mine) == machine.cache_group_of(theirs)) return Distance::kCacheGroup;
  if (machine.node_of(mine) == machine.node_of(theirs)) return Distance::kNode;
  if (machine.package_of(mine) == machine.package_of(theirs)) return Distance::kPackage;
  return Distance::kMachine;
}

Task* steal(Member& member) {
  Task* task = nullptr;
  Counts& counts = member.worker->counts();
  task::search(config::settings().task_scheduler, neighbours_of(member), [&](int number) {
    Member& victim = member.team->member(number);
    task = steal_from(victim, member);
    if (task != nullptr) ++counts.stolen[static_cast<size_t>(distance_between(member, victim))];
    return task != nullptr;
  });
  if (task == nullptr) ++counts.failed;
  return task;
}

void put(Member& member, Task& task) {
  switch (member.team->task_home) {
    [[likely]] case task::Home::kDeque:
      member.deque.push(&task);
      break;
    case task::Home::kTeam:
      member.team->shared_tasks.put(&task);
      break;
    case task::Home::kNode:
      queue_of(*member.team, task).put(&task);
      break;
  }
}

Task* look_around(Member& member) noexcept {
  Team& team = *member.team;
  const auto wanted = [&member](Task* task) { return may_run(member, *task); };
  if (Task* task = team.urgent_tasks.take(wanted)) return task;
  if (Task* task = take_own(member)) return task;
  const size_t nodes = team.node_tasks.size();
  if (nodes > 0)
    if (Task* task = take_by_node(member, 0, 1)) return task;
  if (Task* task = team.shared_tasks.take(wanted)) return task;
  if (team.size > 1)
    if (Task* task = steal(member)) return task;
  return nodes > 1 ? take_by_node(member, 1, nodes) : nullptr;
}

}  // namespace

int bound_node(const Member& member) noexcept {
  return member.place < 0 ? -1 : topo::Machine::here().node_of(places()[member.place]);
}

void offer(Member& member, Task& task) {
  if (task.priority > 0) [[unlikely]]
    member.team->urgent_tasks.put(&task, task.priority);
  else
    put(member, task);
  wake_for(*member.team, member.id + 1, task);
}

void offer_from_outside(Team& team, Task& task) {
  team.shared_tasks.put(&task);
  wake_for(team, 0, task);
}

void offer_at_home(Member& member, std::span<Task* const> tasks, std::span<const int> from) {
  Team& team = *member.team;
  std::vector<Queue*> queues;
  for (Task* task : tasks) {
    queues.push_back(&queue_of(team, *task));
    queues.back()->put_unseen(task);
  }
  for (Queue* queue : queues) queue->show();
  for (size_t i = 0; i < tasks.size(); ++i) wake_for(team, from[i], *tasks[i]);
}

Task* find(Member& member) noexcept {
  Task* const task = look_around(member);
  member.dry = task == nullptr ? std::min(member.dry + 1, kPatient) : 0;
  return task;
}

bool others_offer(Member& member) noexcept {
  Team& team = *member.team;
  const auto wanted = [&member](Task* task) { return may_run(member, *task); };
  if (team.urgent_tasks.offers(wanted) || team.shared_tasks.offers(wanted)) return true;
  for (const auto& queue : team.node_tasks)
    if (queue->offers(wanted)) return true;
  for (int i = 0; i < team.size; ++i)
    if (i != member.id && team.member(i).deque.offers(wanted)) return true;
  return false;
}

}  // namespace vicino::team
