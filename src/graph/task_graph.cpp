#include "graph/task_graph.hpp"

#include <utility>

namespace vicino::graph {

TaskGraph::TaskGraph(Graph tasks) : tasks_(std::make_shared<Graph>(std::move(tasks))) {
  plan_ = std::make_shared<Plan>(Coarse{*tasks_, one_each(tasks_->size())});
}

Result<std::unique_ptr<TaskGraph>> TaskGraph::coarsened(std::string_view coarse_string) const {
  const Result<CoarseString> steps = parse_coarse_string(coarse_string);
  if (!steps) return Error{steps.error()};
  Result<Coarse> coarse = coarsen(plan_->coarse(), *steps);
  if (!coarse) return Error{coarse.error()};
  return std::make_unique<TaskGraph>(tasks_, *std::move(coarse), coarse_string_ + to_text(*steps));
}

std::unique_ptr<TaskGraph> TaskGraph::turned() const {
  auto other = std::make_unique<TaskGraph>(std::make_shared<Graph>(tasks_->turned()),
                                           graph::turned(plan_->coarse()), coarse_string_);
  other->plan().placement() = plan_->placement();
  return other;
}

}  // namespace vicino::graph
