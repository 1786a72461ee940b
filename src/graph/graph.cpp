#include "graph/graph.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <string>

#include "base/say.hpp"

namespace vicino::graph {
namespace {

std::string named(uint32_t task) { return std::to_string(task); }

// std::to_string() would write it as the program's locale has it, with up to 39 digits.
std::string in_digits(float number) {
  char digits[32];
  return {digits, std::to_chars(digits, std::end(digits), number).ptr};
}

// "" if each row holds tasks that exist, each once, and not the row's own task.
std::string wrong_edge(const Rows& before) {
  const uint32_t n = before.size();
  std::vector<uint32_t> seen_at(n, n);  // the last row that holds the task
  for (uint32_t task = 0; task < n; ++task)
    for (const uint32_t other : before[task]) {
      if (other >= n)
        return "task " + named(task) + " comes after task " + named(other) +
               ", which does not exist: there are " + named(n) + " tasks, counted from 0";
      if (other == task) return "task " + named(task) + " comes after itself";
      if (seen_at[other] == task)
        return "the edge from task " + named(other) + " to task " + named(task) + " is there twice";
      seen_at[other] = task;
    }
  return {};
}

std::string wrong_cost(std::span<const float> cost, uint32_t tasks) {
  if (!cost.empty() && cost.size() != tasks)
    return std::to_string(cost.size()) + " costs are given for " + named(tasks) + " tasks";
  for (uint32_t task = 0; task < cost.size(); ++task)
    if (!(cost[task] >= 0) || std::isinf(cost[task]))
      return "task " + named(task) + " has a cost of " + in_digits(cost[task]) +
             "; a cost is a number from 0 on";
  return {};
}

template <class Holds>
bool each_edge(const Rows& before, Holds holds) {
  for (uint32_t task = 0; task < before.size(); ++task)
    for (const uint32_t other : before[task])
      if (!holds(other, task)) return false;
  return true;
}

// Kahn's algorithm, with the ready tasks in a queue. Shorter than the number of tasks if there is a
// circle. It has no task of a circle, and none that comes after one.
std::vector<uint32_t> order_of(const Rows& before, const Rows& after) {
  const uint32_t n = before.size();
  std::vector<uint32_t> missing(n), order;
  order.reserve(n);
  for (uint32_t task = 0; task < n; ++task)
    if ((missing[task] = before.length(task)) == 0) order.push_back(task);
  for (size_t next = 0; next < order.size(); ++next)
    for (const uint32_t task : after[order[next]])
      if (--missing[task] == 0) order.push_back(task);
  return order;
}

// Names the tasks of a circle. Each task that is not in `order` has one before it that is not there
// either, so the way back from one to the next comes to a task for the second time.
std::string circle(const Rows& before, std::span<const uint32_t> order) {
  constexpr size_t kNamed = 8;
  const uint32_t n = before.size();
  std::vector<bool> ordered(n);
  for (const uint32_t task : order) ordered[task] = true;
  const auto open = [&ordered](uint32_t task) { return !ordered[task]; };
  uint32_t task = 0;
  while (!open(task)) ++task;
  std::vector<uint32_t> way, place(n, n);
  while (place[task] == n) {
    place[task] = static_cast<uint32_t>(way.size());
    way.push_back(task);
    task = *std::ranges::find_if(before[task], open);
  }
  way.erase(way.begin(), way.begin() + place[task]);
  std::ranges::reverse(way);  // from each task to one that comes after it
  std::ranges::rotate(way, std::ranges::min_element(way));
  std::string text = "tasks wait for each other in a circle: ";
  for (size_t i = 0; i < std::min(way.size(), kNamed); ++i) text += named(way[i]) + " -> ";
  if (way.size() > kNamed) text += "(" + std::to_string(way.size() - kNamed) + " more) -> ";
  return text + named(way.front());
}

}  // namespace

Result<Graph> Graph::from(Rows before, std::vector<float> cost) {
  if (std::string wrong = wrong_edge(before); !wrong.empty()) return Error{wrong};
  if (std::string wrong = wrong_cost(cost, before.size()); !wrong.empty()) return Error{wrong};
  Graph graph;
  graph.before_ = std::move(before);
  graph.after_ = graph::turned(graph.before_, graph.before_.size());
  graph.cost_ = std::move(cost);
  const uint32_t n = graph.size();
  if (each_edge(graph.before_, std::less())) return graph;
  if (each_edge(graph.before_, std::greater())) {
    graph.order_.resize(n);
    for (uint32_t i = 0; i < n; ++i) graph.order_[i] = n - 1 - i;
    graph.after_ = reversed(graph.after_);
    return graph;
  }
  graph.order_ = order_of(graph.before_, graph.after_);
  if (graph.order_.size() < n) return Error{circle(graph.before_, graph.order_)};
  return graph;
}

Graph Graph::turned() const {
  Graph graph;
  graph.before_ = reversed(after_);
  graph.after_ = reversed(before_);
  graph.cost_ = cost_;
  graph.order_.resize(size());
  for (uint32_t i = 0; i < size(); ++i) graph.order_[i] = in_order(size() - 1 - i);
  return graph;
}

void Graph::check() const {
#ifdef VICINO_CHECKED
  VICINO_CHECK(I1, before_.items().size() == after_.items().size());
  VICINO_CHECK(
      I1, graph::turned(after_, size()) == graph::turned(graph::turned(before_, size()), size()));
  VICINO_CHECK(I2, wrong_edge(before_).empty());
  std::vector<uint32_t> place(size(), UINT32_MAX);
  for (uint32_t i = 0; i < size(); ++i) {
    VICINO_CHECK(I3, place[in_order(i)] == UINT32_MAX);
    place[in_order(i)] = i;
  }
  VICINO_CHECK(I3, each_edge(before_, [&](uint32_t a, uint32_t b) { return place[a] < place[b]; }));
#endif
}

std::vector<uint32_t> depths(const Graph& graph) {
  std::vector<uint32_t> depth(graph.size());
  for (uint32_t i = 0; i < graph.size(); ++i) {
    const uint32_t task = graph.in_order(i);
    uint32_t deepest = 0;
    for (const uint32_t other : graph.before(task)) deepest = std::max(deepest, depth[other] + 1);
    depth[task] = deepest;
  }
  return depth;
}

}  // namespace vicino::graph
