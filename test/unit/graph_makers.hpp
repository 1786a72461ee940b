// Graphs for the tests: written down as lists, cubes, and random ones of many shapes.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/coarse.hpp"
#include "graph/graph.hpp"
#include "graph/passes.hpp"
#include "graph/rows.hpp"

namespace vicino::graph {

using Lists = std::vector<std::vector<uint32_t>>;

inline Rows rows_of(const Lists& lists) {
  Rows rows;
  for (const auto& list : lists) {
    for (const uint32_t item : list) rows.add(item);
    rows.end_row();
  }
  return rows;
}

inline Lists lists_of(const Rows& rows) {
  Lists lists;
  for (uint32_t row = 0; row < rows.size(); ++row)
    lists.emplace_back(rows[row].begin(), rows[row].end());
  return lists;
}

// For each task those before it.
inline Graph graph_of(const Lists& before, std::vector<float> cost = {}) {
  auto graph = Graph::from(rows_of(before), std::move(cost));
  EXPECT_TRUE(graph) << graph.error();
  return graph ? *std::move(graph) : Graph();
}

inline Coarse coarsened(const Graph& graph, std::string_view text) {
  const auto steps = parse_coarse_string(text);
  EXPECT_TRUE(steps) << steps.error();
  auto coarse = coarsen(graph, *steps);
  EXPECT_TRUE(coarse) << coarse.error();
  return coarse ? *std::move(coarse) : Coarse();
}

// The groups of a pass: a coarse string of one letter.
inline Lists groups_of(const Graph& graph, std::string_view text) {
  const auto steps = parse_coarse_string(text);
  EXPECT_TRUE(steps) << steps.error();
  return lists_of(steps->at(0).pass->group(graph, steps->at(0).parameter));
}

// n x n x n cells, numbered along z first: each cell comes after its lower neighbours, as the rows
// of an ILU(0) factorisation of the seven-point stencil do.
inline Graph cube(uint32_t n) {
  Rows before;
  before.reserve(size_t{n} * n * n, 3 * size_t{n} * n * n);
  for (uint32_t cell = 0; cell < n * n * n; ++cell) {
    if (cell / (n * n) > 0) before.add(cell - n * n);
    if (cell / n % n > 0) before.add(cell - n);
    if (cell % n > 0) before.add(cell - 1);
    before.end_row();
  }
  auto graph = Graph::from(std::move(before));
  EXPECT_TRUE(graph) << graph.error();
  return *std::move(graph);
}

enum class Kind {
  kNone,
  kOne,
  kNoEdges,
  kChain,
  kStarOut,
  kStarIn,
  kLayers,
  kGrid,
  kTreeOut,
  kTreeIn,
  kForest,
  kSparse,
  kDense
};
inline constexpr Kind kKinds[] = {Kind::kNone,    Kind::kOne,    Kind::kNoEdges, Kind::kChain,
                                  Kind::kStarOut, Kind::kStarIn, Kind::kLayers,  Kind::kGrid,
                                  Kind::kTreeOut, Kind::kTreeIn, Kind::kForest,  Kind::kSparse,
                                  Kind::kDense};

enum class Numbers { kRising, kFalling, kShuffled };  // along the edges
inline constexpr Numbers kNumbers[] = {Numbers::kRising, Numbers::kFalling, Numbers::kShuffled};

// For each task those before it, all with lower numbers.
inline Lists random_lists(Kind kind, uint32_t tasks, std::mt19937& random) {
  const auto below = [&random](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  const uint32_t n = kind == Kind::kNone ? 0 : kind == Kind::kOne ? 1 : tasks;
  const uint32_t width = 1 + below(1 + n / 2);
  Lists before(n);
  for (uint32_t i = 1; i < n; ++i) {
    std::vector<uint32_t>& list = before[i];
    switch (kind) {
      case Kind::kNone:
      case Kind::kOne:
      case Kind::kNoEdges:
        break;
      case Kind::kChain:
        list = {i - 1};
        break;
      case Kind::kStarOut:
        list = {0};
        break;
      case Kind::kStarIn:
        break;
      case Kind::kLayers:  // some of the layer before
        if (i >= width)
          for (uint32_t other = i / width * width - width; other < i / width * width; ++other)
            if (below(3) == 0) list.push_back(other);
        break;
      case Kind::kGrid:
        if (i % width > 0) list.push_back(i - 1);
        if (i >= width) list.push_back(i - width);
        break;
      case Kind::kTreeOut:
        list = {below(i)};
        break;
      case Kind::kTreeIn:
        break;
      case Kind::kForest:
        if (below(5) > 0) list = {below(i)};
        break;
      case Kind::kSparse:
      case Kind::kDense:
        for (uint32_t other = 0; other < i; ++other)
          if (below(kind == Kind::kDense ? 2 : 1 + i / 2) == 0) list.push_back(other);
        break;
    }
  }
  if (n > 0 && kind == Kind::kStarIn)
    for (uint32_t i = 0; i + 1 < n; ++i) before[n - 1].push_back(i);
  if (n > 0 && kind == Kind::kTreeIn)
    for (uint32_t i = 0; i + 1 < n; ++i) before[i + 1 + below(n - 1 - i)].push_back(i);
  for (auto& list : before) std::ranges::shuffle(list, random);
  return before;
}

// The numbers that the tasks get, in the order of a valid run.
inline std::vector<uint32_t> random_numbers(Numbers numbers, uint32_t tasks, std::mt19937& random) {
  std::vector<uint32_t> number(tasks);
  std::iota(number.begin(), number.end(), 0u);
  if (numbers == Numbers::kFalling) std::ranges::reverse(number);
  if (numbers == Numbers::kShuffled) std::ranges::shuffle(number, random);
  return number;
}

// No costs, costs of which some are 0, or only zeros.
inline std::vector<float> random_costs(uint32_t tasks, std::mt19937& random) {
  const auto kind = random() % 4;
  std::vector<float> cost(kind == 0 ? 0 : tasks);
  for (float& of_task : cost)
    if (kind > 1 && random() % 4 > 0) of_task = static_cast<float>(random() % 1000) / 8;
  return cost;
}

inline Graph random_graph(Kind kind, Numbers numbers, size_t tasks, std::mt19937& random) {
  const Lists lists = random_lists(kind, static_cast<uint32_t>(tasks), random);
  const auto n = static_cast<uint32_t>(lists.size());
  const std::vector<uint32_t> number = random_numbers(numbers, n, random);
  Lists before(n);
  for (uint32_t i = 0; i < n; ++i)
    for (const uint32_t other : lists[i]) before[number[i]].push_back(number[other]);
  return graph_of(before, random_costs(n, random));
}

}  // namespace vicino::graph
