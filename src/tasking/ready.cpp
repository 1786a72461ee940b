#include "tasking/ready.hpp"

#include <sched.h>

#include <algorithm>
#include <tuple>

#include "base/spread.hpp"
#include "config/settings.hpp"
#include "event/more.hpp"
#include "site/counts.hpp"
#include "task/holders.hpp"
#include "task/neighbours.hpp"
#include "task/registry.hpp"
#include "tasking/attentive.hpp"
#include "tasking/free_agents.hpp"
#include "tasking/start.hpp"
#include "team/domains.hpp"
#include "team/places.hpp"
#include "team/shape.hpp"
#include "team/worker.hpp"
#include "topo/distance.hpp"
#include "topo/machine.hpp"
#include "topo/pages.hpp"

namespace vicino::tasking {

using team::bound_domain;
using team::bound_node;
using team::DomainsOfMembers;
using team::spots;
using team::thread_distances;
namespace {

using topo::Distance;
using Queue = task::Shared<Task>;
using Stolen = task::Deque<Task>::Stolen;

// Whether the sleeping member may run the task.
bool would_wake_for(const Member& sleeper, Task& task) noexcept {
  Task* const on = sleeper.asleep.on.load(std::memory_order_acquire);  // R1
  return on == nullptr || task.descends_from(*on);
}

void wake_for(Team& team, int from, Task& task) noexcept {
  task::wake_for_work(team, from,
                      [&team, &task](int i) { return would_wake_for(team.member(i), task); });
}

// Threads that are not bound are equally near to each other.
std::vector<unsigned> distances_from(Member& member) {
  Team& team = *member.team;
  if (member.bound.spot < 0) return std::vector<unsigned>(static_cast<size_t>(team.size));
  std::vector<int> spot_of;
  for (int i = 0; i < team.size; ++i) spot_of.push_back(team.member(i).bound.spot);
  return thread_distances(topo::Machine::here(), spots(), spot_of, member.id);
}

// Good for one arrangement of the team.
struct Around final : team::Kept {
  Around(Member& member, uint64_t number)
      : arrangement(number), neighbours(member.id, distances_from(member)) {}

  const uint64_t arrangement;  // Arrangement::changes()
  const task::Neighbours neighbours;
};

// The near domain that a member is in now.
int domain_of(const Member& member) noexcept {
  const int bound = bound_domain(member);
  if (bound >= 0) return bound;
  const topo::Machine& machine = topo::Machine::here();
  return std::max(machine.domain_at(machine.near_level(), sched_getcpu()), 0);
}

Queue& queue_of(Team& team, int domain) {
  return *team.tasks.of_domains[static_cast<size_t>(domain)];
}

const DomainsOfMembers::Near& nearest(const Team& team, int domain) {
  return team.tasks.member_domains->near[static_cast<size_t>(domain)];
}

Queue& queue_for(Team& team, Task& task) {
  if (task.data_domain() >= 0) return queue_of(team, nearest(team, task.data_domain()).domain);
  const auto turn =
      static_cast<size_t>(team.tasks.next_domain.fetch_add(1, std::memory_order_relaxed));
  const std::vector<int>& used = team.tasks.member_domains->used;
  return queue_of(team, used[turn % used.size()]);
}

// A member takes a task whose data are in another domain only when it has found nothing nearer for a
// while.
bool is_near(Member& member, Task& task) noexcept {
  const int domain = task.data_domain();
  return domain < 0 || member.tasks.search.takes_far() || domain == bound_domain(member);
}

// may_run() of the member, as queues and deques ask it.
auto runnable_by(Member& member) noexcept {
  return [&member](Task* task) { return may_run(member, *task); };
}

bool would_take(Member& member, Task& task) noexcept {
  return may_run(member, task) && is_near(member, task);
}

Task* take_at(Member& member, int domain) {
  return queue_of(*member.team, domain).take(runnable_by(member));
}

// Whether a queue holds more tasks than the threads of its domain can begin now.
bool overflows(const Team& team, const Queue& queue) noexcept {
  return queue.size() >
         static_cast<uint64_t>(team.size) / team.tasks.member_domains->used.size() + 1;
}

// As take_at(), for a member of another domain. If the queue holds only a few tasks, those with a
// data domain are left to the threads of that domain, until the member has seen them there for some
// looks. They are few, so passing over them costs little.
Task* take_far(Member& member, int domain, bool& declines) {
  const Team& team = *member.team;
  Queue& queue = queue_of(*member.team, domain);
  if (team.tasks.queue != task::QueueKind::kDomain)  // then only taskloops use the queue
    return member.tasks.search.takes_far() ? take_at(member, domain) : nullptr;
  if (member.tasks.search.declines_no_more() || overflows(team, queue))
    return take_at(member, domain);
  return queue.take([&](Task* task) {
    if (!may_run(member, *task)) return false;
    declines |= task->data_domain() >= 0;
    return task->data_domain() < 0;
  });
}

Task* take_from_others(Member& member) {
  bool declines = false;
  const auto domains = topo::Machine::here().near_nearest_first(domain_of(member));
  for (const int domain : domains.subspan(1))
    if (Task* task = take_far(member, domain, declines)) return task;
  member.tasks.search.looked_far(declines);
  return nullptr;
}

Task* take_own(Member& member) {
  while (Task* task = member.tasks.deque.pop(member.tasks.standing.floor())) {
    if (may_run(member, *task)) return task;
    offer_from_outside(*member.team, *task);  // an untied task that ran in between left it here
  }
  return nullptr;
}

// Steals the oldest task of a victim, if it may run here.
Task* steal_from(Member& victim, Member& thief) noexcept {
  Task* task = nullptr;
  const auto wanted = [&thief](Task* found) { return would_take(thief, *found); };
  while (victim.tasks.deque.steal(task, wanted) == Stolen::kLostRace) {
  }
  return task;
}

Distance distance_between(const Member& a, const Member& b) noexcept {
  if (bound_node(a) < 0 || bound_node(b) < 0) return Distance::kUnbound;
  const topo::Machine& machine = topo::Machine::here();
  const CpuSet& mine = spots()[a.bound.spot];
  const CpuSet& theirs = spots()[b.bound.spot];
  const int group = machine.cache_group_of(mine);  // -1: the spot spans several
  if (group >= 0 && group == machine.cache_group_of(theirs)) return Distance::kCacheGroup;
  if (machine.node_of(mine) == machine.node_of(theirs)) return Distance::kNode;
  if (machine.package_of(mine) == machine.package_of(theirs)) return Distance::kPackage;
  return Distance::kMachine;
}

// In a large team asking all members takes longer than most waits for a child that was stolen.
Task* steal(Member& member, const task::PendingCount* awaited) {
  Task* task = nullptr;
  site::Counts& counts = member.worker->counts();
  const auto ask = [&](int number) {
    if (is_over(awaited)) return true;
    if (!member.team->tasks.holders->has(number)) return false;
    Member& victim = member.team->member(number);
    task = steal_from(victim, member);
    if (task == nullptr) return false;
    const auto distance = static_cast<size_t>(distance_between(member, victim));
    ++counts.stolen[distance];
    if (member.team->icvs.watched()) [[unlikely]]
      event::stolen(number, static_cast<unsigned>(distance));
    const bool suspended = task->is(Task::kUntied) && task->is(Task::kBegun);
    member.tasks.search.stole(member.id, number, victim.tasks.search, suspended);
    return true;
  };
  task::search(config::settings().task_scheduler, neighbours_of(member),
               member.tasks.search.parent_at(), ask);
  if (task == nullptr && !is_over(awaited)) ++counts.failed;
  return task;
}

void put(Member& member, Task& task) {
  switch (member.team->tasks.queue) {
    [[likely]] case task::QueueKind::kDeque:
      // A free agent is never among the holders: nobody knows of a deque of it.
      if (!member.tasks.search.is_holder() && is_agent(member)) [[unlikely]]
        return member.team->tasks.shared.put(&task);
      member.team->tasks.holders->push(member.id, member.tasks.search, member.tasks.deque, &task);
      break;
    case task::QueueKind::kTeam:
      member.team->tasks.shared.put(&task);
      break;
    case task::QueueKind::kDomain:
      queue_for(*member.team, task).put(&task);
      break;
  }
}

[[gnu::cold]] void put_aside(Member& member, Task& task) {
  if (task.priority > 0)
    member.team->tasks.urgent.put(&task, task.priority);
  else
    show_to_agents(member, task);
}

bool goes_to_domain(const Team& team, Task& task) noexcept {
  return team.tasks.queue == task::QueueKind::kDomain && task.data_domain() >= 0;
}

void offer_to_domain(Team& team, Task& task) {
  const int from = nearest(team, task.data_domain()).member;
  queue_for(team, task).put(&task);
  wake_for(team, from, task);
}

// A task was handed to a member that does not come for it. Every member comes when it waits at a
// barrier. But a member that waits for a pending count may be what keeps the other member from its
// barrier, and the task may be in that pending count: then the waiting member runs the task.
Task* take_late(Member& member) {
  Team& team = *member.team;
  if (!member.tasks.pending_waits.any() || team.tasks.handed.load(std::memory_order_relaxed) == 0)
    return nullptr;
  const auto wanted = [&member](Task& found) {
    const HandedTask& its = *static_cast<const HandedTask*>(found.data);
    return may_run(member, found) && its.is_late(its);
  };
  for (int i = 0; i < team.size; ++i)
    if (Task* task = take_handed(team.member(i), wanted)) return task;
  return nullptr;
}

// The sources of tasks. take() gives a task that the member may run, or null; seems_filled() is a
// guess before that, which reads no task; offers() only looks, when the member is about to sleep. A
// source that only the member itself adds to, or that depends on the clock, offers nothing: the
// member has just looked there.
struct Urgent {
  static bool seems_filled(const Member& member) { return !member.team->tasks.urgent.empty(); }
  static Task* take(Member& member) { return member.team->tasks.urgent.take(runnable_by(member)); }
  static bool offers(Member& member) {
    return member.team->tasks.urgent.offers(runnable_by(member));
  }
};

struct OwnDeque {
  static bool seems_filled(const Member& member) { return !member.tasks.deque.seems_empty(); }
  static Task* take(Member& member) { return take_own(member); }
  static bool offers(Member&) { return false; }
};

struct HandedToIt {
  static bool seems_filled(const Member& member) { return !member.tasks.handed.empty(); }
  static Task* take(Member& member) {
    return take_handed(member, [&](Task& found) { return may_run(member, found); });
  }
  static bool offers(Member& member) { return member.tasks.handed.offers(runnable_by(member)); }
};

struct OwnDomain {
  static bool seems_filled(const Member&) { return false; }  // AllDomains sees this queue, too
  static Task* take(Member& member) {
    return member.team->tasks.of_domains.empty() ? nullptr : take_at(member, domain_of(member));
  }
  static bool offers(Member&) { return false; }  // AllDomains looks at this queue, too
};

struct TeamQueue {
  static bool seems_filled(const Member& member) { return !member.team->tasks.shared.empty(); }
  static Task* take(Member& member) { return member.team->tasks.shared.take(runnable_by(member)); }
  static bool offers(Member& member) {
    return member.team->tasks.shared.offers(runnable_by(member));
  }
};

struct OthersDeques {
  static bool seems_filled(const Member& member) {
    const Team& team = *member.team;
    for (int i = 0; i < team.size; ++i)
      if (i != member.id && team.tasks.holders->has(i) && !team.member(i).tasks.deque.seems_empty())
        return true;
    return false;
  }
  static Task* take(Member& member, const task::PendingCount* awaited) {
    return member.team->size > 1 ? steal(member, awaited) : nullptr;
  }
  static bool offers(Member& member) {
    Team& team = *member.team;
    const auto wanted = runnable_by(member);
    for (int i = 0; i < team.size; ++i)
      if (i != member.id && team.member(i).tasks.deque.offers(wanted)) return true;
    return false;
  }
};

struct AllDomains {
  static bool seems_filled(const Member& member) {
    return std::ranges::any_of(member.team->tasks.of_domains,
                               [](const auto& queue) { return !queue->empty(); });
  }
  static Task* take(Member& member) {
    return member.team->tasks.of_domains.size() > 1 ? take_from_others(member) : nullptr;
  }
  static bool offers(Member& member) {
    const auto wanted = runnable_by(member);
    for (const auto& queue : member.team->tasks.of_domains)
      if (queue->offers(wanted)) return true;
    return false;
  }
};

struct LateTasks {
  static bool seems_filled(const Member& member) {
    return member.tasks.pending_waits.any() &&
           member.team->tasks.handed.load(std::memory_order_relaxed) > 0;
  }
  static Task* take(Member& member) { return take_late(member); }
  static bool offers(Member&) { return false; }  // longest_sleep() ends the sleep in time
};

// Asks the sources in the order in which a member looks. This is the only list of them: a source
// that find() knew and others_offer() did not would be a lost wake-up.
template <class Ask>
bool any_source(Ask ask) {
  return [&]<class... S>(std::tuple<S...>*) {
    return (ask.template operator()<S>() || ...);
  }(static_cast<std::tuple<Urgent, OwnDeque, HandedToIt, OwnDomain, TeamQueue, OthersDeques,
                           AllDomains, LateTasks>*>(nullptr));
}

// A free agent leaves all other tasks to the team.
bool agent_may_run(const Member& agent, Task& task) noexcept {
  return task.priority == Task::kForAgents && may_run(agent, task);
}

}  // namespace

const task::Neighbours& neighbours_of(Member& member) {
  const uint64_t arrangement = member.team->arrangement().changes();
  std::unique_ptr<team::Kept>& kept = member.tasks.around;
  if (kept == nullptr || static_cast<Around&>(*kept).arrangement != arrangement)
    kept = std::make_unique<Around>(member, arrangement);
  return static_cast<Around&>(*kept).neighbours;
}

namespace {

// The near domain for the data at an address; -1 if the node of its page is not known. Nothing tells which cache of
// the node has the data. What matters is that all tasks for the same data come to the same one, and that different
// data are spread over all.
int domain_of_memory(const void* address) noexcept {
  const topo::Machine& machine = topo::Machine::here();
  const bool one_node = machine.count(topo::Level::kNode) == 1;
  const int node = one_node ? 0 : topo::domain_of_page(machine, address);
  if (node < 0 || machine.near_level() == topo::Level::kNode) return node;
  const std::vector<int> domains = machine.near_in(node);
  constexpr int kPageBits = 12;  // of the smallest pages
  return domains[spread(reinterpret_cast<uintptr_t>(address) >> kPageBits, 32) % domains.size()];
}

}  // namespace

void prefer_memory(Member& member, Task& task, const void* address) noexcept {
  const Team& team = *member.team;
  if (team.tasks.queue == task::QueueKind::kDomain && team.tasks.of_domains.size() > 1 &&
      !runs_at_once(member))
    task.set_data_domain(domain_of_memory(address));
}

void offer(Member& member, Task& task) {
  Team& team = *member.team;
  if (task.priority != 0) [[unlikely]]
    put_aside(member, task);
  else if (goes_to_domain(team, task)) [[unlikely]]
    return offer_to_domain(team, task);
  else
    put(member, task);
  wake_for(team, member.id + 1, task);
}

void offer_from_outside(Team& team, Task& task) {
  if (goes_to_domain(team, task)) return offer_to_domain(team, task);
  team.tasks.shared.put(&task);
  wake_for(team, 0, task);
}

void hand_out(Team& team, std::span<const Handing> tasks) {
  team.tasks.handed.fetch_add(static_cast<int>(tasks.size()), std::memory_order_relaxed);
  for (const auto [to, task] : tasks) {
    to->tasks.handed.put(task);
    task::wake_for_its_work(team, to->id, [&](int) { return would_wake_for(*to, *task); });
  }
}

uint64_t longest_sleep(const Member& member) noexcept {
  constexpr uint64_t kWithoutTasks = 50'000'000;  // tasks may be handed out meanwhile
  const config::Settings& settings = config::settings();
  if (is_agent(member)) return kAgentSleepNs;
  const bool none = settings.taskloop != config::Taskloop::kIlan || !settings.explore;
  if (!member.tasks.pending_waits.any() || none) return plat::kForever;
  return member.team->tasks.handed.load(std::memory_order_relaxed) > 0 ? kLateNs : kWithoutTasks;
}

void offer_at_domains(Member& member, std::span<Task* const> tasks, std::span<const int> from) {
  Team& team = *member.team;
  std::vector<Queue*> queues;
  for (Task* task : tasks) {
    queues.push_back(&queue_for(team, *task));
    queues.back()->put_unseen(task);
  }
  for (Queue* queue : queues) queue->show();
  for (size_t i = 0; i < tasks.size(); ++i) wake_for(team, from[i], *tasks[i]);
}

Task* find(Member& member, const task::PendingCount* awaited) noexcept {
  if (is_agent(member)) [[unlikely]]
    return member.team->tasks.shared.take([&](Task* task) { return agent_may_run(member, *task); });
  Task* task = nullptr;
  any_source([&]<class Source>() {
    if constexpr (requires { Source::take(member, awaited); })
      task = Source::take(member, awaited);
    else
      task = Source::take(member);
    return task != nullptr;
  });
  if (task == nullptr) {
    member.tasks.search.found_nothing();
    member.team->tasks.holders->run_dry(member.id, member.tasks.search, member.tasks.deque);
  } else {
    member.tasks.search.found();
  }
  return task;
}

bool may_find(const Member& member) noexcept {
  return member.tasks.epoch.is_at_work() ||
         any_source([&]<class Source>() { return Source::seems_filled(member); });
}

bool others_offer(Member& member) noexcept {
  if (is_agent(member)) [[unlikely]]
    return member.team->tasks.shared.offers(
        [&](Task* task) { return agent_may_run(member, *task); });
  return any_source([&]<class Source>() { return Source::offers(member); });
}

}  // namespace vicino::tasking
