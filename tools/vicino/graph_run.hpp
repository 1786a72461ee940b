// graph_run.hpp: `vicino graph --run`: how long a graph takes, by one thread and by several.
#pragma once

#include <string>

#include "graph_work.hpp"

namespace vicino::cli {

// Runs the graph with bodies that spin for 50 ns times the cost of their tasks. `automatic`: the
// runs choose the aggregates.
std::string run_text(const GraphWork& work, int threads, bool automatic);

}  // namespace vicino::cli
