#include "region/graph.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>

#include "plat/plat.hpp"
#include "region/fork.hpp"
#include "sync/event_count.hpp"
#include "task/registry.hpp"
#include "tasking/ready.hpp"
#include "team/shape.hpp"
#include "team/worker.hpp"
#include "topo/machine.hpp"

namespace vicino::region {
namespace {

using graph::Crew;
using graph::Homes;
using graph::Plan;
using graph::Run;

// Where the members of a team are.
Crew crew_of(std::span<const int> node_of, std::span<const int> used) {
  Crew crew;
  crew.first.resize(used.size());
  crew.node_of.resize(node_of.size());
  for (size_t i = node_of.size(); i-- > 0;) {
    const auto place = std::ranges::lower_bound(used, node_of[i]) - used.begin();
    crew.node_of[i] = static_cast<int>(place);
    crew.first[static_cast<size_t>(place)] = static_cast<int>(i);
  }
  return crew;
}

// The aggregates' nodes, as the crew counts them. Those of a node without members belong to the
// nearest node with some (R4 of graph/run.hpp).
Homes homes_of(const graph::Placement& placement, const team::NodesOfMembers& nodes) {
  Homes homes;
  homes.node.reserve(placement.node.size());
  homes.strict = placement.strict;
  for (const int node : placement.node) {
    int16_t home = Homes::kNone;
    if (node != graph::Placement::kNone) {
      const int near = nodes.near[static_cast<size_t>(node)].node;
      home = static_cast<int16_t>(std::ranges::lower_bound(nodes.used, near) - nodes.used.begin());
    }
    homes.node.push_back(home);
  }
  return homes;
}

// One run by one team. The first member makes the run ready once the team is known, and the others
// wait for it: `ready_` orders what it wrote before what they read.
class Execution {
 public:
  Execution(Plan& plan, const GraphCall& call) : plan_(plan), call_(call), run_(plan.take_run()) {}
  ~Execution() { plan_.give_back(std::move(run_)); }
  Execution(const Execution&) = delete;

  void take_part(Member& member) {
    const int size = member.team->size;
    if (size == 1) {
      verdict_ = plan_.run_alone([this](std::span<const uint32_t> tasks) { return run(tasks); });
      return;
    }
    if (member.id == 0) {
      prepare(member);
      ready_.advance(1);
    } else {
      member.waiting().wait(ready_, [](uint64_t value) { return value == 1; });
    }
    run_->work(
        member.id, member.waiting(),
        [this](uint32_t aggregate) {
          if (const int said = run(plan_.tasks_of(aggregate))) stop(said);
        },
        [&near = tasking::neighbours_of(member)](auto ask) {
          task::DefaultScheduler::search(near, ask);
        });
  }

  int end() {
    if (started_) run_->end();
    return verdict_;
  }

 private:
  int run(std::span<const uint32_t> tasks) const {
    return call_.body(tasks.data(), tasks.size(), call_.data);
  }

  void prepare(const Member& member) {
    const graph::Placement& placement = plan_.placement();
    const auto node_of = member.team->arrangement().nodes_of_members();
    if (!placement.node.empty() && std::ranges::find(node_of, -1) == node_of.end()) {
      const team::NodesOfMembers nodes = team::nodes_of_members(topo::Machine::here(), node_of);
      crew_ = crew_of(node_of, nodes.used);
      homes_ = homes_of(placement, nodes);
    }
    run_->begin(member.team->size, crew_, homes_);
    started_ = true;
  }

  void stop(int said) {
    int none = 0;
    verdict_.compare_exchange_strong(none, said, std::memory_order_relaxed);
    run_->stop();
  }

  Plan& plan_;
  const GraphCall& call_;
  std::unique_ptr<Run> run_;
  Crew crew_;
  Homes homes_;
  sync::EventCount ready_;
  plat::atomic<int> verdict_{0};
  bool started_ = false;
};

void take_part(Member& member, const Call& call) {
  static_cast<Execution*>(call.args[0])->take_part(member);
}

}  // namespace

int run(Plan& plan, const GraphCall& call) {
  if (plan.coarse().graph.size() == 0) return 0;
  Execution execution(plan, call);
  fork({take_part, reinterpret_cast<void*>(call.body), 1, {&execution}}, {.threads = call.threads});
  return execution.end();
}

}  // namespace vicino::region
