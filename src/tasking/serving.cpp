#include "tasking/serving.hpp"

#include <algorithm>

#include "tasking/agents.hpp"
#include "tasking/free_agents.hpp"
#include "tasking/tasks.hpp"
#include "team/contention.hpp"
#include "team/pool.hpp"
#include "team/waiting.hpp"
#include "team/worker.hpp"

namespace vicino::tasking {
namespace {

// Under the lock.
Member* take_agent(Team& team) {
  if (agents().spare.empty()) return new Member(team, kAgent);
  Member* const agent = agents().spare.back();
  agents().spare.pop_back();
  return agent;
}

// The free agent becomes a thread of the team's, with the task that it has taken (I3 of
// task/free_agents.hpp).
void join(Member& member, Team& team) noexcept {
  team::TaskState& mine = member.tasks;
  member.team = &team;
  member.icvs = &team.icvs;
  member.bound = {};
  member.partition = team.member(0).partition;
  mine.standing.start();
  mine.standing.come_to_barrier();
  mine.begin_epoch(*team.tasks.shown_termination.load(std::memory_order_relaxed),  // E1
                   team.tasks.shown_epoch.load(std::memory_order_relaxed));
  mine.epoch.join();
}

// A thread while it is a free agent.
class Serving {
 public:
  explicit Serving(Worker& worker) noexcept : worker_(worker) {
    team::Pool::get().count_awake(1);
    worker_.bind_to(-1);
    worker_.budget.hold_lock();
  }
  ~Serving() {
    team::self = nullptr;
    worker_.budget.drop_lock();
    team::Pool::get().count_awake(-1);
    if (agent_ != nullptr) agents().all.leave([this] { agents().spare.push_back(agent_); });
  }

  // Runs a task of some team; false if there was none.
  bool run_one() {
    Task* const task = agents().all.take([this](Team* team) { return take_from(*team); });
    if (task == nullptr) return false;
    run_counted(*agent_, *task);
    agents().all.leave([this] { leave(); });
    return true;
  }

 private:
  Task* take_from(Team& team) {
    if (team.tasks.shared.empty()) return nullptr;
    if (!team.contention->take_agent(limits_of(team), team.icvs.thread_limit)) return nullptr;
    team.tasks.agents.fetch_add(1, std::memory_order_relaxed);  // E2
    Task* const task = team.tasks.shared.take(is_for_agents);
    if (task == nullptr) {
      give_back(team);
      return nullptr;
    }
    if (agent_ == nullptr) {
      agent_ = take_agent(team);
      agent_->worker = &worker_;
      team::self = agent_;
    }
    join(*agent_, team);
    return task;
  }
  static void give_back(Team& team) noexcept {
    team.contention->give_agent();
    team.tasks.agents.fetch_sub(1, std::memory_order_release);  // E2
  }
  void leave() noexcept {
    give_back(*agent_->team);
    stop_work(*agent_);
    agent_->tasks.epoch.end();
  }

  Worker& worker_;
  Member* agent_ = nullptr;
};

bool offers(Team* host) noexcept {
  Team& team = *host;
  return team.contention->has_room_for_agent(limits_of(team), team.icvs.thread_limit) &&
         team.tasks.shared.offers(is_for_agents);
}

}  // namespace

void await_agents(Member& member) noexcept {
  Team& team = *member.team;
  if (!team.tasks.is_host.load(std::memory_order_relaxed)) return;
  for (;;) {
    run_dry(member);
    const uint32_t inside = team.tasks.agents.load(std::memory_order_acquire);  // E2
    if (inside == 0 && team.tasks.shared.empty()) break;
    plat::Budget budget{.ns = 100'000, .share_core = true};
    plat::wait_on(team.tasks.agents, inside, budget);
  }
  close_to_agents(team);
}

void serve_as_agent(Worker& worker) {
  constexpr uint64_t kPolled = 50'000;
  Serving serving(worker);
  for (;;) {
    const uint32_t seen = agents().all.shown().load(std::memory_order_relaxed);
    if (serving.run_one()) continue;
    const uint64_t most = team::limits_for(team::Pool::get().awake()).most;
    plat::Budget budget{.ns = std::min(kPolled, most), .share_core = true};
    if (budget.ns > 0 && plat::wait_on(agents().all.shown(), seen, budget) != seen) continue;
    if (agents().all.ends(offers)) return;
  }
}

}  // namespace vicino::tasking
