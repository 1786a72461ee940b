// graph_work.hpp: the task graph that `vicino graph` works on, with what the options made of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/coarse.hpp"
#include "graph/graph.hpp"

namespace vicino::cli {

struct GraphWork {
  std::string input;             // as the command line names it
  std::optional<uint32_t> fill;  // the k of ILU(k), of a matrix
  std::string order;             // of a matrix
  bool transposed = false;
  graph::Graph graph;                 // transposed already
  std::vector<std::string> names;     // of the tasks; empty: they are numbered
  std::optional<std::string> passes;  // the coarse string; without one each task is an aggregate
  graph::Coarse coarse;
  uint32_t node_count = 0;  // 0: aggregates have no nodes
  std::vector<int> nodes;   // of each aggregate
  std::vector<uint8_t> strict;

  std::string name_of(uint32_t task) const {
    return names.empty() ? std::to_string(task) : names[task];
  }
};

}  // namespace vicino::cli
