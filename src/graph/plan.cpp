#include "graph/plan.hpp"

#include <span>
#include <utility>

#include "graph/guard.hpp"

namespace vicino::graph {
namespace {

// Gives the memory back, too.
template <class Item>
void forget(std::vector<Item>& items) {
  std::vector<Item>().swap(items);
}

}  // namespace

Plan::Plan(Coarse coarse) : coarse_(std::move(coarse)) {
  if (!coarse_.graph.runs_by_number()) {
    in_order_.reserve(coarse_.tasks.items().size());
    for (uint32_t place = 0; place < coarse_.graph.size(); ++place)
      for (const uint32_t task : tasks_of(coarse_.graph.in_order(place))) in_order_.push_back(task);
  }
  if (!is_a_task_each()) {
    find_ranges();
    return;
  }
  if (coarse_.graph.size() == 0) return;
  const Range begin = first_range(all_in_order());
  if (begin.count == coarse_.graph.size()) step_ = begin.step;
  if (step_ != 0) forget(in_order_);
}

void Plan::find_ranges() {
  const size_t most = coarse_.tasks.items().size() / kLeastMean;
  first_range_.reserve(size_t{coarse_.graph.size()} + 1);
  for (uint32_t aggregate = 0; aggregate < coarse_.graph.size(); ++aggregate) {
    first_range_.push_back(static_cast<uint32_t>(ranges_.size()));
    for_each_range(tasks_of(aggregate),
                   [this](const Range& it) { return ranges_.push_back(it), 0; });
    if (ranges_.size() > most) {
      forget(ranges_);
      return forget(first_range_);
    }
  }
  first_range_.push_back(static_cast<uint32_t>(ranges_.size()));
}

uint32_t Plan::next_piece(uint32_t& place) const noexcept {
  const Graph& graph = coarse_.graph;
  if (is_a_task_each()) {
    const uint32_t tasks = std::min(kAtOnce, graph.size() - place);
    place += tasks;
    return tasks;
  }
  uint32_t tasks = 0;
  while (place < graph.size() && tasks < kAtOnce)
    tasks += coarse_.tasks.length(graph.in_order(place++));
  return tasks;
}

std::unique_ptr<Run> Plan::take_run() {
  std::unique_ptr<Run> run;
  {
    const Guard guard(lock_);
    if (!spare_.empty()) {
      run = std::move(spare_.back());
      spare_.pop_back();
    }
  }
  return run != nullptr ? std::move(run) : std::make_unique<Run>(coarse_.graph);
}

void Plan::give_back(std::unique_ptr<Run> run) noexcept {
  const Guard guard(lock_);
  try {
    spare_.push_back(std::move(run));
  } catch (const std::bad_alloc&) {  // then it is made again
  }
}

}  // namespace vicino::graph
