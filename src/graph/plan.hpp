// plan.hpp: a coarsened graph that is ready to run, any number of times, by several teams at a
// time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "graph/coarse.hpp"
#include "graph/run.hpp"
#include "sync/lock.hpp"

namespace vicino::graph {

// The nodes of aggregates, as the machine counts its nodes.
struct Placement {
  static constexpr int kNone = -1;
  std::vector<int> node;     // of each aggregate, or kNone; empty: none has one
  std::vector<bool> strict;  // as long as `node`
};

class Plan {
 public:
  explicit Plan(Coarse coarse) : coarse_(std::move(coarse)) {}
  Plan(const Plan&) = delete;

  const Coarse& coarse() const noexcept { return coarse_; }
  std::span<const uint32_t> tasks_of(uint32_t aggregate) const noexcept {
    return coarse_.tasks[aggregate];
  }

  // Not while the plan runs.
  Placement& placement() noexcept { return placement_; }
  const Placement& placement() const noexcept { return placement_; }

  // A run that no team is using, and where it goes afterwards. Throws std::bad_alloc.
  std::unique_ptr<Run> take_run();
  void give_back(std::unique_ptr<Run> run) noexcept;

  // Calls body(tasks) for lists of tasks that have all tasks in an order in which they may run,
  // until it returns another value than 0, which is then the result.
  template <class Body>
  int run_alone(Body body) const;

 private:
  static constexpr size_t kAtOnce = 256;  // tasks; then the body's result is looked at

  const Coarse coarse_;
  Placement placement_;
  sync::Lock lock_;
  std::vector<std::unique_ptr<Run>> spare_;  // by `lock_`
};

template <class Body>
int Plan::run_alone(Body body) const {
  const Graph& graph = coarse_.graph;
  if (!graph.runs_by_number()) {
    for (uint32_t i = 0; i < graph.size(); ++i)
      if (const int said = body(tasks_of(graph.in_order(i)))) return said;
    return 0;
  }
  for (auto left = coarse_.tasks.items(); !left.empty();) {
    const auto some = left.first(std::min(kAtOnce, left.size()));
    if (const int said = body(some)) return said;
    left = left.subspan(some.size());
  }
  return 0;
}

}  // namespace vicino::graph
