// graph_input.hpp: what `vicino graph` reads or makes: a matrix's pattern, or a task graph.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "graph/coarse.hpp"
#include "graph/graph.hpp"
#include "graph/rows.hpp"
#include "patterns/pattern.hpp"

namespace vicino::cli {

struct GraphInput {
  // Of a matrix: its pattern, and the grid that it was made from, if it was.
  std::optional<graph::Rows> pattern;
  std::optional<patterns::Grid> grid;
  // Otherwise a task graph, and the names of its tasks, if they have names.
  std::optional<graph::Graph> graph;
  std::vector<std::string> names;
  // Of a file of Vicino's own: its aggregates, and their nodes if they have some.
  std::optional<graph::Coarse> coarse;
  std::vector<int> nodes;
  std::vector<uint8_t> strict;
};

// "mtx, dot": the names of the formats that are read.
std::string graph_formats();
bool is_graph_format(const std::string& name);

// `name` is a grid, a file, or - for the standard input. `format` is "" if the file's name tells
// it. Throws Failure.
GraphInput read_graph_input(const std::string& name, const std::string& format);

}  // namespace vicino::cli
