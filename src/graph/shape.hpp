// shape.hpp: numbers that describe a graph, its aggregates, and their division among nodes.
//
// Cost   one look at each task and each edge; the median of sizes also takes a partial sort.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "graph/coarse.hpp"
#include "graph/graph.hpp"

namespace vicino::graph {

// The costs of all tasks together.
double cost_of(const Graph& graph);
// The largest sum along a chain of tasks, each of which counts for `unit` times its cost and
// `each`.
double critical_path(const Graph& graph, double unit = 1, double each = 0);

struct Shape {
  uint32_t tasks = 0, edges = 0;
  uint32_t depth = 0;        // levels: tasks of the longest chain
  uint32_t widest = 0;       // tasks of the level that has most
  double cost = 0;           // of all tasks
  double critical_path = 0;  // the largest sum of costs along a chain

  // How many threads the graph can keep at work at most, in the mean. 0 without any cost.
  double parallelism() const noexcept { return critical_path > 0 ? cost / critical_path : 0; }
};

Shape shape_of(const Graph& graph);

// Of no sizes all are 0. The median of an even number of sizes is the mean of the middle two.
struct Spread {
  double least = 0, median = 0, mean = 0, largest = 0;
};

struct Sizes {
  Spread tasks, cost;  // of an aggregate
};

Sizes sizes_of(const Coarse& coarse);

struct Share {
  uint32_t tasks = 0;
  double cost = 0;
};

struct Division {
  std::vector<Share> nodes;  // up to the highest node that has an aggregate
  Share without;             // of aggregates that have no node
  uint32_t cut = 0;          // edges between tasks of different nodes
};

// `graph` is the one that was coarsened. `node` is the node of each aggregate, counted from 0; a
// negative one: it has none. Edges of tasks without a node are not cut.
Division division_of(const Graph& graph, const Rows& aggregates, std::span<const int> node);

}  // namespace vicino::graph
