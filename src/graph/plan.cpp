#include "graph/plan.hpp"

#include <span>
#include <utility>

#include "graph/guard.hpp"

namespace vicino::graph {
namespace {

size_t ranges_in(const Rows& rows) noexcept {
  size_t ranges = 0;
  for (uint32_t row = 0; row < rows.size(); ++row)
    for_each_range(rows[row], [&ranges](const Range&) { return ++ranges, 0; });
  return ranges;
}

}  // namespace

Plan::Plan(Coarse coarse) : coarse_(std::move(coarse)) {
  if (!coarse_.graph.runs_by_number()) {
    in_order_.reserve(coarse_.tasks.items().size());
    for (uint32_t place = 0; place < coarse_.graph.size(); ++place)
      for (const uint32_t task : tasks_of(coarse_.graph.in_order(place))) in_order_.push_back(task);
  }
  if (!is_a_task_each()) {
    has_ranges_ = ranges_in(coarse_.tasks) <= coarse_.tasks.items().size() / kLeastMean;
    return;
  }
  if (coarse_.graph.size() == 0) return;
  const Range begin = first_range(all_in_order());
  if (begin.count == coarse_.graph.size()) step_ = begin.step;
  if (step_ != 0) in_order_ = std::vector<uint32_t>();  // = {} would keep the memory
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
