#include "graph/task_graph.hpp"

#include <utility>
#include <vector>

#include "graph/file.hpp"

namespace vicino::graph {

TaskGraph::TaskGraph(Graph tasks, std::shared_ptr<const Bodies> bodies)
    : tasks_(std::make_shared<Graph>(std::move(tasks))), bodies_(std::move(bodies)) {
  plan_ = std::make_shared<Plan>(Coarse{*tasks_, one_each(tasks_->size())});
}

Result<std::unique_ptr<TaskGraph>> TaskGraph::coarsened(std::string_view coarse_string) const {
  if (is_automatic() && coarse_string != kAutomatic)
    return Error{"the graph is automatic, so it is coarsened already"};
  if (coarse_string == kAutomatic) {
    auto graph = std::make_unique<TaskGraph>(tasks_, std::make_shared<Plan>(plan_->coarse()),
                                             coarse_string_, bodies_);
    graph->grain_ = std::make_unique<Grain>(graph->plan_);
    return graph;
  }
  const Result<CoarseString> steps = parse_coarse_string(coarse_string);
  if (!steps) return Error{steps.error() + ", or the whole text must be automatic"};
  Result<Coarse> coarse = coarsen(plan_->coarse(), *steps);
  if (!coarse) return Error{coarse.error()};
  return std::make_unique<TaskGraph>(tasks_, std::make_shared<Plan>(*std::move(coarse)),
                                     coarse_string_ + to_text(*steps), bodies_);
}

std::unique_ptr<TaskGraph> TaskGraph::turned() const {
  auto tasks = std::make_shared<Graph>(tasks_->turned());
  auto plan = std::make_shared<Plan>(graph::turned(plan_->coarse()));
  plan->placement() = plan_->placement();
  auto other =
      std::make_unique<TaskGraph>(std::move(tasks), std::move(plan), coarse_string_, bodies_);
  if (is_automatic()) other->grain_ = std::make_unique<Grain>(other->plan_);
  return other;
}

Error TaskGraph::save(const std::string& path) const {
  const Placement& placement = plan_->placement();
  const std::vector<uint8_t> strict(placement.strict.begin(), placement.strict.end());
  return graph::save(*tasks_, plan_->coarse().tasks, placement.node, strict, path);
}

Result<std::unique_ptr<TaskGraph>> TaskGraph::load(const std::string& path, int nodes) {
  Result<Saved> saved = graph::load(path);
  if (!saved) return Error{saved.error()};
  auto plan = std::make_shared<Plan>(std::move(saved->coarse));
  Placement& placement = plan->placement();
  for (const int node : saved->node)
    placement.node.push_back(node < 0 ? Placement::kNone : node % nodes);
  placement.strict.assign(saved->strict.begin(), saved->strict.end());
  return std::make_unique<TaskGraph>(std::make_shared<Graph>(std::move(saved->graph)),
                                     std::move(plan), "file ");
}

std::string TaskGraph::explain() const {
  if (is_automatic()) return grain_->explain();
  const std::string passes = coarse_string_.empty() ? "no pass" : coarse_string_;
  return passes + ": " + std::to_string(tasks_->size()) + " tasks in " +
         std::to_string(plan_->coarse().graph.size()) + " aggregates\n";
}

}  // namespace vicino::graph
