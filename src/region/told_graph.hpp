// told_graph.hpp: a run of a task graph that a tool is told of (OMPT).
//
// How    The program's function is replaced by one that tells of each aggregate and then calls it. So a run that no tool
//        is told of has no test for it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "graph/plan.hpp"
#include "region/graph_call.hpp"

namespace vicino::region {

class ToldGraph {
 public:
  // Whether a tool wants to be told.
  static bool is_wanted() noexcept;

  using RunList = int (*)(const GraphCall& call, std::span<const uint32_t> tasks);
  // `run_list`: calls the program's function for a list of tasks. Throws std::bad_alloc.
  ToldGraph(const graph::Plan& plan, const GraphCall& call, const void* code, RunList run_list);
  ~ToldGraph();
  ToldGraph(const ToldGraph&) = delete;

  // What is to be run in place of the program's call.
  GraphCall call() noexcept;

 private:
  static int run(const uint32_t* tasks, size_t count, void* told);

  const graph::Plan& plan_;
  const GraphCall& call_;
  const void* const code_;
  const RunList run_list_;
  const uint64_t number_;                           // of the run
  const std::unique_ptr<uint32_t[]> aggregate_of_;  // of each task that is the first of one
};

}  // namespace vicino::region
