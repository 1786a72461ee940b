// Graphs as files, for the tests: what to save, how to compare it, and bytes with a good checksum.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "graph/file.hpp"
#include "graph_makers.hpp"

namespace vicino::graph {

// 0 -> 1 -> 2 and 0 -> 2, with all that a file can have.
inline Saved small_saved() {
  const Graph graph = graph_of({{}, {0}, {1, 0}}, {1, 0.5f, 2});
  auto coarse = coarse_of(graph, rows_of({{0, 1}, {2}}));
  EXPECT_TRUE(coarse) << coarse.error();
  return {graph, *std::move(coarse), {1, -1}, {1, 0}};
}

// The graph with random aggregates, and with nodes or without.
inline Saved random_saved(const Graph& graph, std::mt19937& random) {
  constexpr const char* kStrings[] = {"", "S", "C", "D(3)", "F(2)", "CD(4)", "SD(5)F(2)", "F(1)"};
  Saved saved{graph, coarsened(graph, kStrings[random() % std::size(kStrings)]), {}, {}};
  if (random() % 2 == 0) return saved;
  for (uint32_t i = 0; i < saved.coarse.graph.size(); ++i) {
    saved.node.push_back(static_cast<int32_t>(random() % 5) - 1);
    saved.strict.push_back(random() % 2);
  }
  return saved;
}

// Each row is compared as a set: coarsening in several steps may list it in another order.
inline Lists sorted_lists(const Rows& rows) {
  Lists lists = lists_of(rows);
  for (auto& list : lists) std::ranges::sort(list);
  return lists;
}

inline void expect_same(const Saved& a, const Saved& b) {
  a.graph.check();
  a.coarse.graph.check();
  ASSERT_EQ(a.graph.before(), b.graph.before());
  ASSERT_EQ(sorted_lists(a.graph.after()), sorted_lists(b.graph.after()));
  ASSERT_TRUE(std::ranges::equal(a.graph.costs(), b.graph.costs()));
  ASSERT_EQ(a.coarse.tasks, b.coarse.tasks);
  ASSERT_EQ(sorted_lists(a.coarse.graph.before()), sorted_lists(b.coarse.graph.before()));
  for (uint32_t i = 0; i < a.coarse.graph.size(); ++i)
    ASSERT_FLOAT_EQ(a.coarse.graph.cost(i), b.coarse.graph.cost(i));
  ASSERT_EQ(a.node, b.node);
  ASSERT_EQ(a.strict, b.strict);
}

// The bytes with a number of four bytes changed.
inline std::string with_number(std::string bytes, size_t at, uint32_t value) {
  EXPECT_LE(at + sizeof value, bytes.size());
  std::memcpy(bytes.data() + at, &value, sizeof value);
  return bytes;
}

// Gives the bytes the checksum that they should have, as far as they have what it is taken over.
inline std::string sealed_again(std::string bytes) {
  constexpr size_t kChecksum = 16, kCounts = 24, kArrays = 40;
  if (bytes.size() < kArrays) return bytes;
  uint32_t counts[4];
  std::memcpy(counts, bytes.data() + kCounts, sizeof counts);
  const auto [tasks, edges, aggregates, arrays] = counts;
  const uint64_t lengths[] = {4 * (tasks + uint64_t{1}),
                              4 * uint64_t{edges},
                              arrays & 1 ? 4 * uint64_t{tasks} : 0,
                              4 * (aggregates + uint64_t{1}),
                              4 * uint64_t{tasks},
                              arrays & 2 ? 4 * uint64_t{aggregates} : 0,
                              arrays & 2 ? uint64_t{aggregates} : 0};
  const std::string_view all(bytes);
  uint64_t checksum = hash_by_words(all.substr(kCounts, kArrays - kCounts));
  size_t at = kArrays;
  for (const uint64_t length : lengths) {
    const std::string_view array = all.substr(std::min<uint64_t>(at, all.size()), length);
    checksum = hash_by_words(array, checksum);
    at += array.size();
  }
  std::memcpy(bytes.data() + kChecksum, &checksum, sizeof checksum);
  return bytes;
}

}  // namespace vicino::graph
