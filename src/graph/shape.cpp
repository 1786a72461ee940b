#include "graph/shape.hpp"

#include <algorithm>
#include <numeric>

namespace vicino::graph {
namespace {

Spread spread_of(std::vector<double> sizes) {
  if (sizes.empty()) return {};
  const auto [least, largest] = std::ranges::minmax(sizes);
  const double mean =
      std::accumulate(sizes.begin(), sizes.end(), 0.0) / static_cast<double>(sizes.size());
  const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
  std::ranges::nth_element(sizes, middle);
  const double lower = sizes.size() % 2 == 1 ? *middle : *std::max_element(sizes.begin(), middle);
  return {least, (lower + *middle) / 2, mean, largest};
}

void add(Share& share, double cost) {
  ++share.tasks;
  share.cost += cost;
}

std::vector<int> node_of_each(const Rows& aggregates, std::span<const int> node, uint32_t tasks) {
  std::vector<int> node_of(tasks);
  for (uint32_t aggregate = 0; aggregate < aggregates.size(); ++aggregate)
    for (const uint32_t task : aggregates[aggregate]) node_of[task] = node[aggregate];
  return node_of;
}

}  // namespace

double cost_of(const Graph& graph) {
  double sum = 0;
  for (uint32_t task = 0; task < graph.size(); ++task) sum += graph.cost(task);
  return sum;
}

double critical_path(const Graph& graph, double unit, double each) {
  std::vector<double> until(graph.size());  // the task's end if each task begins as early as it may
  double longest = 0;
  for (uint32_t i = 0; i < graph.size(); ++i) {
    const uint32_t task = graph.in_order(i);
    double start = 0;
    for (const uint32_t other : graph.before(task)) start = std::max(start, until[other]);
    until[task] = start + unit * graph.cost(task) + each;
    longest = std::max(longest, until[task]);
  }
  return longest;
}

Shape shape_of(const Graph& graph) {
  Shape shape{.tasks = graph.size(), .edges = graph.edges()};
  std::vector<uint32_t> level(graph.size());  // how many tasks it has
  for (const uint32_t depth : depths(graph)) {
    shape.depth = std::max(shape.depth, depth + 1);
    shape.widest = std::max(shape.widest, ++level[depth]);
  }
  shape.cost = cost_of(graph);
  shape.critical_path = critical_path(graph);
  return shape;
}

Sizes sizes_of(const Coarse& coarse) {
  std::vector<double> tasks, cost;
  for (uint32_t aggregate = 0; aggregate < coarse.graph.size(); ++aggregate) {
    tasks.push_back(coarse.tasks.length(aggregate));
    cost.push_back(static_cast<double>(coarse.graph.cost(aggregate)));
  }
  return {spread_of(std::move(tasks)), spread_of(std::move(cost))};
}

Division division_of(const Graph& graph, const Rows& aggregates, std::span<const int> node) {
  const std::vector<int> node_of = node_of_each(aggregates, node, graph.size());
  Division division;
  const int highest = node.empty() ? -1 : std::ranges::max(node);
  division.nodes.resize(static_cast<size_t>(std::max(highest, -1) + 1));
  for (uint32_t task = 0; task < graph.size(); ++task) {
    const int here = node_of[task];
    add(here < 0 ? division.without : division.nodes[static_cast<size_t>(here)], graph.cost(task));
    if (here < 0) continue;
    for (const uint32_t other : graph.before(task))
      if (node_of[other] >= 0 && node_of[other] != here) ++division.cut;
  }
  return division;
}

}  // namespace vicino::graph
