// dot.hpp: reads task graphs from files in DOT, the language of Graphviz.
//
// Accepted: one digraph, with chains of edges (a -> b -> c), sets (a -> {b c}), subgraphs, quoted names and
// comments. The attribute `cost` of a task is its cost, 1 without it. All else that is said of tasks
// and edges is read over.
// Not    undirected graphs.
// Source The DOT Language, graphviz.org/doc/info/lang.html
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "graph/graph.hpp"

namespace vicino::patterns {

struct NamedGraph {
  graph::Graph graph;
  std::vector<std::string> names;  // of the tasks, which are numbered as the file first names them
};

// `text` is the file, and errors name it as `name`, with the line. Refused: what is not DOT, an edge
// that is there twice unless the digraph is strict, a circle, a cost that is not a number from 0 on.
Result<NamedGraph> read_dot(std::string_view text, std::string_view name);

}  // namespace vicino::patterns
