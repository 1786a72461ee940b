// task_graph.hpp: a task graph as a program holds it: its tasks, and the plan by which it runs.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "graph/grain.hpp"
#include "graph/passes.hpp"
#include "graph/plan.hpp"

namespace vicino::graph {

// What the tasks of a recorded graph do.
class Bodies {
 public:
  virtual ~Bodies() = default;
  // `captures`: where the variables are that the tasks share; null: where they were when the tasks
  // were recorded.
  virtual void run(std::span<const uint32_t> tasks, void* captures) const = 0;
  // Code that identifies them in any process: run() is the same for all recorded graphs.
  virtual const void* code() const noexcept = 0;
};

class TaskGraph {
 public:
  // Every task is an aggregate of its own.
  explicit TaskGraph(Graph tasks, std::shared_ptr<const Bodies> bodies = nullptr);
  TaskGraph(std::shared_ptr<const Graph> tasks, std::shared_ptr<Plan> plan,
            std::string coarse_string, std::shared_ptr<const Bodies> bodies = nullptr)
      : tasks_(std::move(tasks)),
        plan_(std::move(plan)),
        coarse_string_(std::move(coarse_string)),
        bodies_(std::move(bodies)) {}

  const Graph& tasks() const noexcept { return *tasks_; }
  // Of an automatic graph, the aggregates that it began with.
  Plan& plan() noexcept { return *plan_; }
  const Plan& plan() const noexcept { return *plan_; }
  // Null unless the graph is automatic.
  Grain* grain() noexcept { return grain_.get(); }
  bool is_automatic() const noexcept { return grain_ != nullptr; }
  // Null unless the graph was recorded.
  const Bodies* bodies() const noexcept { return bodies_.get(); }

  // `coarse_string` may be "automatic". The nodes of aggregates are not handed on: there are other
  // aggregates then.
  Result<std::unique_ptr<TaskGraph>> coarsened(std::string_view coarse_string) const;
  // The nodes are those of the same aggregates.
  std::unique_ptr<TaskGraph> turned() const;

  // The aggregates of an automatic graph are those that it began with.
  Error save(const std::string& path) const;
  // `nodes`: how many the machine has. A node that it does not have becomes one that it has.
  static Result<std::unique_ptr<TaskGraph>> load(const std::string& path, int nodes);

  // Which passes made the aggregates; or what was found out for them.
  std::string explain() const;

 private:
  std::shared_ptr<const Graph> tasks_;
  std::shared_ptr<Plan> plan_;
  // The passes that made the aggregates, from left to right; those of a file are not known.
  std::string coarse_string_;
  std::unique_ptr<Grain> grain_;
  std::shared_ptr<const Bodies> bodies_;
};

}  // namespace vicino::graph
