// The pattern of ILU(k): by hand, against the published numbers of edges, and against the definition.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "patterns/ilu.hpp"
#include "patterns/pattern.hpp"

namespace vicino::patterns {
namespace {

using Lists = std::vector<std::vector<uint32_t>>;

Lists lists_of(const Rows& rows) {
  Lists lists;
  for (uint32_t row = 0; row < rows.size(); ++row)
    lists.emplace_back(rows[row].begin(), rows[row].end());
  return lists;
}

Rows pattern_with(uint32_t size, const std::vector<std::pair<uint32_t, uint32_t>>& entries) {
  std::vector<uint32_t> row, column;
  for (const auto& [i, j] : entries) {
    row.push_back(i);
    column.push_back(j);
  }
  return pattern_of(size, row, column);
}

Rows cube(uint32_t n) { return seven_point({n, n, n}); }

size_t edges(const Rows& pattern, uint32_t k) { return ilu(pattern, k)->lower.items().size(); }

// An arrow that points to the first row: each level of fill couples rows that the first row couples.
TEST(Ilu, OfAnArrowIsFullFromLevelOneOn) {
  const Rows arrow = pattern_with(4, {{0, 1}, {0, 2}, {0, 3}, {1, 0}, {2, 0}, {3, 0}});
  EXPECT_EQ(lists_of(ilu(arrow, 0)->lower), (Lists{{}, {0}, {0}, {0}}));
  EXPECT_EQ(lists_of(ilu(arrow, 0)->upper), (Lists{{1, 2, 3}, {}, {}, {}}));
  EXPECT_EQ(lists_of(ilu(arrow, 1)->lower), (Lists{{}, {0}, {0, 1}, {0, 1, 2}}));
  EXPECT_EQ(lists_of(ilu(arrow, 1)->upper), (Lists{{1, 2, 3}, {2, 3}, {3}, {}}));
}

// Row 4 reaches column 1 through 0 (level 1), column 2 through 1 (level 2), column 3 through 2 (level 3).
TEST(Ilu, FillOfFillHasAHigherLevel) {
  const Rows pattern = pattern_with(5, {{4, 0}, {0, 1}, {1, 2}, {2, 3}});
  EXPECT_EQ(lists_of(ilu(pattern, 0)->lower)[4], (std::vector<uint32_t>{0}));
  EXPECT_EQ(lists_of(ilu(pattern, 1)->lower)[4], (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(lists_of(ilu(pattern, 2)->lower)[4], (std::vector<uint32_t>{0, 1, 2}));
  EXPECT_EQ(lists_of(ilu(pattern, 3)->lower)[4], (std::vector<uint32_t>{0, 1, 2, 3}));
}

// Column 3 of row 5 gets level 2 through columns 0 and 1, and then level 1 through column 2. So it may
// bring column 4.
TEST(Ilu, TheLeastLevelCounts) {
  const Rows pattern = pattern_with(6, {{5, 0}, {0, 1}, {1, 3}, {5, 2}, {2, 3}, {3, 4}});
  EXPECT_EQ(lists_of(ilu(pattern, 2)->lower)[5], (std::vector<uint32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(lists_of(ilu(pattern, 1)->lower)[5], (std::vector<uint32_t>{0, 1, 2, 3}));
}

// The published numbers of ILU(2) are all edges; 3n(n-1)^2 is what ILU(1) has beyond ILU(0).
TEST(Ilu, OfCubesHasThePublishedNumbersOfEdges) {
  for (const uint32_t n : {1u, 2u, 5u, 9u, 20u}) {
    EXPECT_EQ(edges(cube(n), 0), 3 * n * n * (n - 1));
    EXPECT_EQ(edges(cube(n), 1), 3 * n * n * (n - 1) + 3 * n * (n - 1) * (n - 1));
  }
  EXPECT_EQ(edges(cube(6), 2), 1600u);
  EXPECT_EQ(edges(cube(7), 2), 2700u);
  EXPECT_EQ(edges(cube(8), 2), 4214u);
  EXPECT_EQ(edges(cube(9), 2), 6208u);
}

// The definition, on whole matrices of levels.
Lists lower_by_definition(const Rows& pattern, uint32_t k) {
  constexpr uint32_t kNone = 1000;
  const uint32_t n = pattern.size();
  std::vector<std::vector<uint32_t>> level(n, std::vector<uint32_t>(n, kNone));
  for (uint32_t i = 0; i < n; ++i)
    for (const uint32_t j : pattern[i]) level[i][j] = 0;
  Lists lower(n);
  for (uint32_t i = 0; i < n; ++i) {
    for (uint32_t c = 0; c < i; ++c) {
      if (level[i][c] > k) continue;
      for (uint32_t j = c + 1; j < n; ++j)
        level[i][j] = std::min(level[i][j], level[i][c] + level[c][j] + 1);
    }
    for (uint32_t j = 0; j < n; ++j)
      if (level[i][j] > k)
        level[i][j] = kNone;
      else if (j < i)
        lower[i].push_back(j);
  }
  return lower;
}

TEST(Ilu, IsWhatTheDefinitionSaysForRandomPatterns) {
  std::mt19937 random(7);
  const auto below = [&random](uint32_t n) { return static_cast<uint32_t>(random() % n); };
  for (int round = 0; round < 200; ++round) {
    const uint32_t n = 1 + below(25);
    std::vector<std::pair<uint32_t, uint32_t>> entries(below(3 * n));
    for (auto& [i, j] : entries) i = below(n), j = below(n);
    const Rows pattern = pattern_with(n, entries);
    for (const uint32_t k : {0u, 1u, 2u, 3u, kMostFill})
      ASSERT_EQ(lists_of(ilu(pattern, k)->lower), lower_by_definition(pattern, k))
          << "round " << round << ", k " << k;
  }
}

TEST(Ilu, OfNoRowsHasNone) {
  EXPECT_EQ(ilu(Rows(), 2)->lower.size(), 0u);
  EXPECT_EQ(ilu(Rows(), 2)->upper.size(), 0u);
}

}  // namespace
}  // namespace vicino::patterns
