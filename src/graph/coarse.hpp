// coarse.hpp: a graph whose tasks are aggregates: groups of the tasks of a finer graph.
//
// Source Taggre (papers/taggre-nas, section III).
#pragma once

#include <cstdint>

#include "base/result.hpp"
#include "graph/graph.hpp"
#include "graph/rows.hpp"

namespace vicino::graph {

struct Coarse {
  Graph graph;  // of the aggregates; an aggregate costs what its tasks cost together
  Rows tasks;   // the tasks of each aggregate, in the order in which they run
};

// The graph of the groups: a group comes after another if a task of it comes after a task of the
// other. Each task is in one group. The error names groups that wait for each other: then the
// groups are not aggregates.
Result<Graph> quotient(const Graph& graph, const Rows& groups);

// With groups that may be anything. The error says why they are not aggregates: a task that is in
// no group or in several, a group without tasks, tasks that a group has in a wrong order, groups
// that wait for each other.
Result<Coarse> coarse_of(const Graph& graph, Rows groups);

// For groups of groups: the tasks of each. `outer` has numbers of rows of `inner`.
Rows merged(const Rows& outer, const Rows& inner);

// All edges the other way round: the aggregates of the reverse order, for the backward solve.
Coarse turned(const Coarse& coarse);

}  // namespace vicino::graph
