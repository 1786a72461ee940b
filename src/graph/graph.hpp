// graph.hpp: tasks and which of them must come before which.
//
// Why    A graph of 10^6 tasks is built once and run many times. So it is two arrays of rows: for
//        each task those before it and those after it, and nothing is allocated for a single task.
// Cost   8 bytes for a task and 8 for an edge, and 4 each for costs and for an order if they are
//        needed. Building: two sweeps over the edges, and a third if edges do not all go from lower
//        to higher numbers.
//
// Invariants
//  I1 after() and before() hold the same edges.
//  I2 no task comes before itself, directly or not, and no edge is there twice.
//  I3 in_order() gives each task once, and each after all tasks before it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "graph/rows.hpp"

namespace vicino::graph {

// Tasks are counted from 0. Of tasks and of edges there are fewer than this.
inline constexpr uint64_t kMost = UINT32_MAX;

class Graph {
 public:
  Graph() = default;

  // `before`: for each task those that must have ended before it begins. `cost`: of each task, in
  // any unit; empty: all cost the same. The error names tasks: an edge to a task that does not
  // exist, an edge that is there twice, a circle, a cost that is not a number from 0 on.
  static Result<Graph> from(Rows before, std::vector<float> cost = {});

  uint32_t size() const noexcept { return before_.size(); }
  uint32_t edges() const noexcept { return static_cast<uint32_t>(before_.items().size()); }
  std::span<const uint32_t> before(uint32_t task) const noexcept { return before_[task]; }
  // Where tasks run by number, or in the reverse order of that, the next one comes first: a runner
  // that goes on with the first one it releases then stays near its data.
  std::span<const uint32_t> after(uint32_t task) const noexcept { return after_[task]; }
  const Rows& before() const noexcept { return before_; }
  const Rows& after() const noexcept { return after_; }

  float cost(uint32_t task) const noexcept { return cost_.empty() ? 1 : cost_[task]; }
  std::span<const float> costs() const noexcept { return cost_; }

  // The task at a place of an order in which tasks may run one after the other. It is the order of
  // their numbers, or the reverse of that, if the edges allow it.
  uint32_t in_order(uint32_t place) const noexcept {
    return order_.empty() ? place : order_[place];
  }

  // The same tasks with all edges the other way round.
  Graph turned() const;

  // Whether that order is 0, 1, 2, ...
  bool runs_by_number() const noexcept { return order_.empty(); }

  // Checks I1 to I3.
  void check() const;

 private:
  Rows before_, after_;
  std::vector<float> cost_;
  std::vector<uint32_t> order_;  // empty: 0, 1, 2, ...
};

// For each task the length of the longest chain of tasks before it, counted in tasks.
std::vector<uint32_t> depths(const Graph& graph);

}  // namespace vicino::graph
