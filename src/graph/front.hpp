// front.hpp: F(n): the tasks of each depth become at most n aggregates of similar cost.
//
// Why    Threads need only so many tasks at a time. More of them cost time to manage.
// Rule   The tasks of a depth, in the order of their numbers, are cut where the sum of their costs
//        passes a multiple of a n-th of the depth's cost: so an aggregate's data lie together. A
//        depth has fewer than n aggregates if it has fewer tasks, or tasks of very unequal costs.
// Cost   one look at each edge, for the depths, and two at each task.
// Source Front of Taggre (papers/taggre-nas, section III.A.2). Nas uses the number of a task's
//        part, with n the number of nodes, as the node of the task.
//
// Tasks of one depth do not come after each other, and every edge goes to a greater depth: so no
// two aggregates wait for each other.
#pragma once

#include <algorithm>
#include <vector>

#include "graph/pass.hpp"

namespace vicino::graph {

struct Front {
  static constexpr char kLetter = 'F';
  static constexpr std::string_view kName = "front";
  static constexpr std::string_view kSummary =
      "the tasks of each depth become at most this number of aggregates of similar cost";
  static constexpr std::string_view kParameter = "aggregates per depth";

  // Calls use(task, part, depth) for each task, by rising depth and then by rising number. Parts
  // are counted from 0 in each depth, and rise with the number.
  template <class Use>
  static void for_each_part(const Graph& graph, uint32_t n, Use use) {
    const std::vector<uint32_t> depth = depths(graph);
    const uint32_t deepest = depth.empty() ? 0 : std::ranges::max(depth);
    const Rows levels = sorted_into_rows(depth, depth.empty() ? 0 : deepest + 1);
    for (uint32_t level = 0; level < levels.size(); ++level) {
      const auto tasks = levels[level];
      double whole = 0, sum = 0;
      for (const uint32_t task : tasks) whole += graph.cost(task);
      const double each = whole > 0 ? 0 : 1;  // tasks that cost nothing are counted instead
      if (whole <= 0) whole = static_cast<double>(tasks.size());
      for (const uint32_t task : tasks) {
        const double cost = graph.cost(task) + each;
        const double part = (sum + cost / 2) / whole * n;  // where the task's middle lies
        sum += cost;
        use(task, std::min(static_cast<uint32_t>(part), n - 1), level);
      }
    }
  }

  static Rows group(const Graph& graph, uint32_t n) {
    Rows groups;
    groups.reserve(0, graph.size());
    uint64_t last = UINT64_MAX;
    for_each_part(graph, n, [&](uint32_t task, uint32_t part, uint32_t depth) {
      const uint64_t now = uint64_t{depth} << 32 | part;
      if (last != UINT64_MAX && now != last) groups.end_row();
      last = now;
      groups.add(task);
    });
    if (last != UINT64_MAX) groups.end_row();
    return groups;
  }
};
static_assert(Pass<Front>);

}  // namespace vicino::graph
