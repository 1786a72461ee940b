#include "team/ready.hpp"

#include <sched.h>

#include <algorithm>

#include "config/settings.hpp"
#include "team/ilan.hpp"
#include "team/places.hpp"
#include "team/shape.hpp"
#include "team/tasks.hpp"
#include "team/worker.hpp"
#include "topo/machine.hpp"
#include "topo/pages.hpp"

namespace vicino::team {
namespace {

using Queue = task::Shared<Task>;
using Stolen = task::Deque<Task>::Stolen;

// Whether a member that sleeps may run it.
bool would_wake_for(const Member& sleeper, Task& task) noexcept {
  Task* const on = sleeper.asleep_on.load(std::memory_order_acquire);
  return on == nullptr || task.descends_from(*on);
}

void wake_for(Team& team, int from, Task& task) noexcept {
  task::wake_for_work(team, from,
                      [&team, &task](int i) { return would_wake_for(team.member(i), task); });
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

Queue& queue_of(Team& team, int node) { return *team.node_tasks[static_cast<size_t>(node)]; }

const NodesOfMembers::Near& nearest(const Team& team, int node) {
  return team.member_nodes.near[static_cast<size_t>(node)];
}

Queue& queue_for(Team& team, Task& task) {
  if (task.home() >= 0) return queue_of(team, nearest(team, task.home()).node);
  const auto turn = static_cast<size_t>(team.next_node.fetch_add(1, std::memory_order_relaxed));
  return queue_of(team, team.member_nodes.used[turn % team.member_nodes.used.size()]);
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

Task* take_at(Member& member, int node) {
  return queue_of(*member.team, node).take([&member](Task* task) {
    return may_run(member, *task);
  });
}

// Whether a queue holds more than the threads of its node can begin with now.
bool has_plenty(const Team& team, const Queue& queue) noexcept {
  return queue.size() > static_cast<uint64_t>(team.size) / team.member_nodes.used.size() + 1;
}

// As take_at(), for a member of another node. Of a few tasks those with a home are left to threads
// there, until nobody has come for them for some looks. They are few, so passing over them costs
// little.
Task* take_far(Member& member, int node, bool& declines) {
  const Team& team = *member.team;
  Queue& queue = queue_of(*member.team, node);
  if (team.task_home != task::Home::kNode)  // then it is for taskloops
    return member.dry >= kPatient ? take_at(member, node) : nullptr;
  if (member.declined >= kPatient || has_plenty(team, queue)) return take_at(member, node);
  return queue.take([&](Task* task) {
    if (!may_run(member, *task)) return false;
    declines |= task->home() >= 0;
    return task->home() < 0;
  });
}

Task* take_from_others(Member& member) {
  bool declines = false;
  const auto nodes = topo::Machine::here().nodes_nearest_first(node_of(member));
  for (const int node : nodes.subspan(1))
    if (Task* task = take_far(member, node, declines)) return task;
  member.declined = declines ? member.declined + 1 : 0;
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
      queue_for(*member.team, task).put(&task);
      break;
  }
}

bool goes_home(const Team& team, Task& task) noexcept {
  return team.task_home == task::Home::kNode && task.home() >= 0;
}

void offer_to_node(Team& team, Task& task) {
  const int from = nearest(team, task.home()).member;
  queue_for(team, task).put(&task);
  wake_for(team, from, task);
}

// A task is handed to a member that does not come. At a barrier all will come. But who waits for a
// family may be what keeps that member, and the task may be of his family: then he runs it.
Task* take_late(Member& member) {
  Team& team = *member.team;
  if (member.family_waits == 0 || team.handed.load(std::memory_order_relaxed) == 0) return nullptr;
  const auto wanted = [&member](Task& found) { return may_run(member, found) && is_late(found); };
  for (int i = 0; i < team.size; ++i)
    if (Task* task = take_handed(team.member(i), wanted)) return task;
  return nullptr;
}

Task* look_around(Member& member) noexcept {
  Team& team = *member.team;
  const auto wanted = [&member](Task* task) { return may_run(member, *task); };
  if (Task* task = team.urgent_tasks.take(wanted)) return task;
  if (Task* task = take_own(member)) return task;
  if (Task* task = take_handed(member, [&](Task& found) { return may_run(member, found); }))
    return task;
  const size_t nodes = team.node_tasks.size();
  if (nodes > 0)
    if (Task* task = take_at(member, node_of(member))) return task;
  if (Task* task = team.shared_tasks.take(wanted)) return task;
  if (team.size > 1)
    if (Task* task = steal(member)) return task;
  if (nodes > 1)
    if (Task* task = take_from_others(member)) return task;
  return take_late(member);
}

}  // namespace

int bound_node(const Member& member) noexcept {
  return member.place < 0 ? -1 : topo::Machine::here().node_of(places()[member.place]);
}

void prefer_memory(Member& member, Task& task, const void* address) noexcept {
  const Team& team = *member.team;
  if (team.task_home == task::Home::kNode && team.node_tasks.size() > 1 && !runs_at_once(member))
    task.set_home(topo::domain_of_page(topo::Machine::here(), address));
}

void offer(Member& member, Task& task) {
  Team& team = *member.team;
  if (task.priority > 0) [[unlikely]]
    team.urgent_tasks.put(&task, task.priority);
  else if (goes_home(team, task)) [[unlikely]]
    return offer_to_node(team, task);
  else
    put(member, task);
  wake_for(team, member.id + 1, task);
}

void offer_from_outside(Team& team, Task& task) {
  if (goes_home(team, task)) return offer_to_node(team, task);
  team.shared_tasks.put(&task);
  wake_for(team, 0, task);
}

void hand_to(Member& to, Task& task) {
  Team& team = *to.team;
  team.handed.fetch_add(1, std::memory_order_relaxed);
  to.handed.put(&task);
  task::wake_for_its_work(team, to.id, [&](int) { return would_wake_for(to, task); });
}

uint64_t longest_sleep(const Member& member) noexcept {
  constexpr uint64_t kWithoutTasks = 50'000'000;  // some may be handed meanwhile
  const config::Settings& settings = config::settings();
  const bool none = settings.taskloop != config::Taskloop::kIlan || !settings.explore;
  if (member.family_waits == 0 || none) return plat::kForever;
  return member.team->handed.load(std::memory_order_relaxed) > 0 ? kLateNs : kWithoutTasks;
}

void offer_at_home(Member& member, std::span<Task* const> tasks, std::span<const int> from) {
  Team& team = *member.team;
  std::vector<Queue*> queues;
  for (Task* task : tasks) {
    queues.push_back(&queue_for(team, *task));
    queues.back()->put_unseen(task);
  }
  for (Queue* queue : queues) queue->show();
  for (size_t i = 0; i < tasks.size(); ++i) wake_for(team, from[i], *tasks[i]);
}

Task* find(Member& member) noexcept {
  Task* const task = look_around(member);
  if (task == nullptr)
    member.dry = std::min(member.dry + 1, kPatient);
  else
    member.dry = member.declined = 0;
  return task;
}

bool others_offer(Member& member) noexcept {
  Team& team = *member.team;
  const auto wanted = [&member](Task* task) { return may_run(member, *task); };
  if (team.urgent_tasks.offers(wanted) || team.shared_tasks.offers(wanted)) return true;
  for (const auto& queue : team.node_tasks)
    if (queue->offers(wanted)) return true;
  if (member.handed.offers(wanted)) return true;
  for (int i = 0; i < team.size; ++i)
    if (i != member.id && team.member(i).deque.offers(wanted)) return true;
  return false;
}

}  // namespace vicino::team
