// task_graph.hpp: a task graph as a program holds it: its tasks, and the plan by which it runs.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "graph/passes.hpp"
#include "graph/plan.hpp"

namespace vicino::graph {

class TaskGraph {
 public:
  // Every task is an aggregate of its own.
  explicit TaskGraph(Graph tasks);
  TaskGraph(std::shared_ptr<const Graph> tasks, Coarse coarse, std::string coarse_string)
      : tasks_(std::move(tasks)),
        plan_(std::make_shared<Plan>(std::move(coarse))),
        coarse_string_(std::move(coarse_string)) {}

  const Graph& tasks() const noexcept { return *tasks_; }
  Plan& plan() noexcept { return *plan_; }
  const Plan& plan() const noexcept { return *plan_; }
  // The passes that made the aggregates, from left to right.
  const std::string& coarse_string() const noexcept { return coarse_string_; }

  // The nodes of aggregates are not handed on: there are other aggregates then.
  Result<std::unique_ptr<TaskGraph>> coarsened(std::string_view coarse_string) const;
  // The nodes are those of the same aggregates.
  std::unique_ptr<TaskGraph> turned() const;

 private:
  std::shared_ptr<const Graph> tasks_;
  std::shared_ptr<Plan> plan_;
  std::string coarse_string_;
};

}  // namespace vicino::graph
