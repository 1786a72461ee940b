// graph_layout.hpp: where tasks and edges of a picture are: the layers are the depths, from top to
// bottom.
//
// Why    Graphviz's layout, without Graphviz.
// How    An edge that passes layers has a bend in each of them. Tasks and bends of a layer are
//        sorted by where their neighbours are, down and up several times, which leaves few
//        crossings. Then each moves toward the mean of its neighbours, as near as the order and the
//        widths allow.
// Source Sugiyama, Tagawa, Toda, Methods for visual understanding of hierarchical system
//        structures, 1981; the places within a layer by the pool-adjacent-violators algorithm
#pragma once

#include <span>
#include <vector>

#include "graph/graph.hpp"

namespace vicino::cli {

struct Point {
  double x = 0, y = 0;
};

struct DrawnEdge {
  uint32_t from, to;
  std::vector<Point> bends;  // the layers that it passes
};

struct GraphLayout {
  std::vector<Point> tasks;  // the middle of each
  std::vector<DrawnEdge> edges;
  double width = 0, height = 0;
};

// All tasks are boxes of this size.
GraphLayout layout_of(const graph::Graph& graph, Point box);

}  // namespace vicino::cli
