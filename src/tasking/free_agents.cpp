#include "tasking/free_agents.hpp"

#include <algorithm>

#include "config/settings.hpp"
#include "tasking/agents.hpp"
#include "team/contention.hpp"
#include "team/pool.hpp"
#include "team/worker.hpp"

namespace vicino::tasking {

using team::Group;
namespace {

// In a group that reduces variables each of the team's threads has a copy.
bool reduces(const Task& task) noexcept {
  for (const Group* group = task.group; group != nullptr; group = group->outer)
    if (group->reductions != nullptr) return true;
  return false;
}

}  // namespace

config::ThreadLimits limits_of(const Team& team) noexcept {
  return config::settings().threads_reserve.limits(team.icvs.thread_limit);
}

bool is_free_agent(const Member& member) noexcept {
  const Member* at = &member;
  while (at->id == 0 && at->team->parent != nullptr) at = at->team->parent;
  return is_agent(*at);
}

int agents_beside(const Team& team) noexcept {
  const config::ThreadsReserve& reserve = config::settings().threads_reserve;
  const int threads = team::initial_icvs().nthreads;
  const int kept =
      reserve.free_agents == config::ThreadsReserve::kAll ? threads - 1 : reserve.free_agents;
  int busy = 1;  // as many threads are in the regions around, if these are all as large
  for (const Team* at = &team; at != nullptr && busy < threads;
       at = at->parent != nullptr ? at->parent->team : nullptr)
    busy *= at->size;
  return std::min(std::max(kept, threads - busy), limits_of(team).free_agents);
}

bool goes_to_agents(Member& member, Task& task) noexcept {
  // Tasks of the team's queue: a look at it is a search under its lock. As many as a member's deque
  // holds before it makes calls (kPlenty in start.cpp).
  constexpr uint64_t kEnough = 256;
  if (task.priority != Task::kForAgents) return false;
  const Team& team = *member.team;
  const bool goes = team.icvs.is_plain() && !team.icvs.lends && !member.task().is(Task::kFinal) &&
                    team.tasks.shared.size() < kEnough && agents_beside(team) > 0 && !reduces(task);
  if (!goes) task.priority = 0;
  return goes;
}

void show_to_agents(Member& member, Task& task) {
  Team& team = *member.team;
  if (!team.tasks.is_host.load(std::memory_order_relaxed)) {
    agents().all.open(team);
    team.tasks.is_host.store(true, std::memory_order_relaxed);
  }
  team.tasks.shown_termination.store(&member.tasks.epoch.termination(),
                                     std::memory_order_relaxed);  // E1
  team.tasks.shown_epoch.store(member.tasks.epoch.number(), std::memory_order_relaxed);
  team.tasks.shared.put(&task);
  team::Pool& pool = team::Pool::get();
  if (agents().all.calls_up(agents_beside(team)) && !pool.call_agent()) agents().all.is_refused();
}

void close_to_agents(Team& team) noexcept {
  agents().all.close(team);
  team.tasks.is_host.store(false, std::memory_order_relaxed);
}

void hold_agents() noexcept { agents().all.hold(); }
void release_agents() noexcept { agents().all.release(); }
void forget_agents() noexcept { agents().all.forget(); }

}  // namespace vicino::tasking
