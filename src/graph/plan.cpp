#include "graph/plan.hpp"

#include <span>
#include <utility>

#include "graph/guard.hpp"

namespace vicino::graph {
namespace {

// Whether the numbers are 0, 1, 2, ..., or the reverse of that.
bool rise_by_one(std::span<const uint32_t> numbers) noexcept {
  for (uint32_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != i) return false;
  return true;
}
bool fall_by_one(std::span<const uint32_t> numbers) noexcept {
  for (size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != numbers.size() - 1 - i) return false;
  return true;
}

}  // namespace

Plan::Plan(Coarse coarse) : coarse_(std::move(coarse)) {
  if (!coarse_.graph.runs_by_number()) {
    in_order_.reserve(coarse_.tasks.items().size());
    for (uint32_t place = 0; place < coarse_.graph.size(); ++place)
      for (const uint32_t task : tasks_of(coarse_.graph.in_order(place))) in_order_.push_back(task);
  }
  if (!is_a_task_each()) return;
  step_ = rise_by_one(all_in_order()) ? 1 : fall_by_one(all_in_order()) ? -1 : 0;
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
