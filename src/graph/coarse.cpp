#include "graph/coarse.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace vicino::graph {
namespace {

std::vector<uint32_t> row_of_each(const Rows& rows, uint32_t items) {
  std::vector<uint32_t> row_of(items);
  for (uint32_t row = 0; row < rows.size(); ++row)
    for (const uint32_t item : rows[row]) row_of[item] = row;
  return row_of;
}

std::string named(uint32_t number) { return std::to_string(number); }

// "" if each task is in one group, and no group is empty.
std::string wrong_partition(const Rows& groups, uint32_t tasks) {
  std::vector<uint32_t> group_of(tasks, groups.size());
  for (uint32_t group = 0; group < groups.size(); ++group) {
    if (groups.length(group) == 0) return "aggregate " + named(group) + " has no tasks";
    for (const uint32_t task : groups[group]) {
      if (task >= tasks)
        return "aggregate " + named(group) + " has task " + named(task) +
               ", which does not exist: there are " + named(tasks) + " tasks, counted from 0";
      if (group_of[task] == group)
        return "aggregate " + named(group) + " has task " + named(task) + " twice";
      if (group_of[task] != groups.size())
        return "task " + named(task) + " is in aggregates " + named(group_of[task]) + " and " +
               named(group);
      group_of[task] = group;
    }
  }
  const auto missing = std::ranges::find(group_of, groups.size());
  if (missing == group_of.end()) return {};
  return "task " + std::to_string(missing - group_of.begin()) + " is in no aggregate";
}

// "" if each group has its tasks in an order in which they may run. Each task is in one group.
std::string wrong_order(const Graph& graph, const Rows& groups) {
  const std::vector<uint32_t> group_of = row_of_each(groups, graph.size());
  std::vector<bool> done(graph.size());
  for (uint32_t group = 0; group < groups.size(); ++group)
    for (const uint32_t task : groups[group]) {
      for (const uint32_t other : graph.before(task))
        if (group_of[other] == group && !done[other])
          return "aggregate " + named(group) + " has task " + named(task) + " before task " +
                 named(other) + ", after which it must run";
      done[task] = true;
    }
  return {};
}

// A sum of floats may be greater than each float; then the greatest is near enough.
float as_cost(double sum) {
  return static_cast<float>(std::min<double>(sum, std::numeric_limits<float>::max()));
}

}  // namespace

Result<Graph> quotient(const Graph& graph, const Rows& groups) {
  const uint32_t n = groups.size();
  const std::vector<uint32_t> group_of = row_of_each(groups, graph.size());
  std::vector<uint32_t> seen_at(n, n);  // the last group found to come after it
  std::vector<float> cost(n);
  Rows before;
  before.reserve(n, n);
  for (uint32_t group = 0; group < n; ++group) {
    double sum = 0;
    seen_at[group] = group;
    for (const uint32_t task : groups[group]) {
      sum += graph.cost(task);
      for (const uint32_t other : graph.before(task)) {
        const uint32_t from = group_of[other];
        if (seen_at[from] == group) continue;
        seen_at[from] = group;
        before.add(from);
      }
    }
    before.end_row();
    cost[group] = as_cost(sum);
  }
  return Graph::from(std::move(before), std::move(cost));
}

Result<Coarse> coarse_of(const Graph& graph, Rows groups) {
  if (std::string wrong = wrong_partition(groups, graph.size()); !wrong.empty())
    return Error{wrong};
  if (std::string wrong = wrong_order(graph, groups); !wrong.empty()) return Error{wrong};
  Result<Graph> between = quotient(graph, groups);
  if (!between) return Error{"aggregates cannot be run as tasks: " + between.error()};
  return Coarse{*std::move(between), std::move(groups)};
}

Rows merged(const Rows& outer, const Rows& inner) {
  Rows all;
  all.reserve(outer.size(), inner.items().size());
  for (uint32_t row = 0; row < outer.size(); ++row) {
    for (const uint32_t middle : outer[row])
      for (const uint32_t item : inner[middle]) all.add(item);
    all.end_row();
  }
  return all;
}

Coarse turned(const Coarse& coarse) { return {coarse.graph.turned(), reversed(coarse.tasks)}; }

}  // namespace vicino::graph
