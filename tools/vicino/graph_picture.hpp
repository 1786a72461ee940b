// graph_picture.hpp: task graphs as pictures: DOT for Graphviz, and SVG as it is.
#pragma once

#include <string>

#include "graph_work.hpp"

namespace vicino::cli {

// Larger graphs make pictures that nobody can read.
inline constexpr uint32_t kMostDrawnTasks = 500, kMostDrawnEdges = 2000;

// Throws Failure for a graph that is too large; the text names the option.
void expect_small(const GraphWork& work, const std::string& option);

// Aggregates are clusters in colours of their own. `vicino graph` reads the same tasks and edges
// from it.
std::string graph_as_dot(const GraphWork& work);

// Layers from top to bottom are the depths, colours are aggregates. A task's title has its name,
// number, cost, aggregate and node.
std::string graph_as_svg(const GraphWork& work);

}  // namespace vicino::cli
