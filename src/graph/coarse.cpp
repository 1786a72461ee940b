#include "graph/coarse.hpp"

#include <algorithm>
#include <limits>

namespace vicino::graph {
namespace {

std::vector<uint32_t> row_of_each(const Rows& rows, uint32_t items) {
  std::vector<uint32_t> row_of(items);
  for (uint32_t row = 0; row < rows.size(); ++row)
    for (const uint32_t item : rows[row]) row_of[item] = row;
  return row_of;
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

Coarse turned(const Coarse& coarse) {
  std::vector<uint32_t> items(coarse.tasks.items().begin(), coarse.tasks.items().end());
  const auto first = coarse.tasks.first();
  for (uint32_t row = 0; row < coarse.tasks.size(); ++row)
    std::reverse(items.begin() + first[row], items.begin() + first[row + 1]);
  return {coarse.graph.turned(), Rows({first.begin(), first.end()}, std::move(items))};
}

}  // namespace vicino::graph
