// pass.hpp: the concept of a coarsening pass: it puts the tasks of a graph into groups.
//
// A pass is one file and one row in passes.cpp. The coarse-string parser, `vicino graph`, the tests
// and the benchmarks go through the rows.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "graph/graph.hpp"
#include "graph/rows.hpp"

namespace vicino::graph {

template <class P>
concept Pass = requires(const Graph& graph, uint32_t parameter) {
  { P::kLetter } -> std::convertible_to<char>;
  { P::kName } -> std::convertible_to<std::string_view>;
  { P::kSummary } -> std::convertible_to<std::string_view>;
  // What the number in brackets says, as in D(400); "": the pass takes none.
  { P::kParameter } -> std::convertible_to<std::string_view>;
  // Rows of tasks: each task in one row, each row in an order in which its tasks may run, and no
  // two rows that wait for each other, directly or not.
  { P::group(graph, parameter) } -> std::same_as<Rows>;
};

}  // namespace vicino::graph
