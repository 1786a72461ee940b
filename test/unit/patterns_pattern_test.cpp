// Patterns: grids and their names, entries in any order, renumbering, nested dissection.
#include "patterns/pattern.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "patterns/dissection.hpp"
#include "patterns/ilu.hpp"

namespace vicino::patterns {
namespace {

using testing::HasSubstr;
using Numbers = std::vector<uint32_t>;

Numbers row(const Rows& rows, uint32_t i) { return {rows[i].begin(), rows[i].end()}; }

TEST(Grid, IsReadFromItsName) {
  EXPECT_EQ(*parse_grid("cube:3"), (Grid{3, 3, 3}));
  EXPECT_EQ(*parse_grid("spe10"), (Grid{60, 220, 85}));
  EXPECT_EQ(*parse_grid("spe10:1"), (Grid{60, 220, 85}));
  EXPECT_EQ(*parse_grid("spe10:10"), (Grid{6, 22, 9}));
  EXPECT_EQ(*parse_grid("spe10:220"), (Grid{1, 1, 1}));
  EXPECT_TRUE(names_grid("cube:x"));
  EXPECT_FALSE(names_grid("cube"));
  EXPECT_FALSE(names_grid("spe10.mtx"));
}

TEST(Grid, RefusesOtherNumbers) {
  for (const char* text : {"cube:", "cube:0", "cube:-1", "cube:801", "cube:3x", "cube: 3",
                           "cube:99999999999999999999"})
    EXPECT_THAT(parse_grid(text).error(), HasSubstr("a whole number from 1 to 800")) << text;
  for (const char* text : {"spe10:", "spe10:0", "spe10:221", "spe10:x"})
    EXPECT_THAT(parse_grid(text).error(), HasSubstr("a whole number from 1 to 220")) << text;
}

TEST(SevenPoint, HasNeighboursInAllDirections) {
  const Rows rows = seven_point({2, 3, 2});
  ASSERT_EQ(rows.size(), 12u);
  EXPECT_EQ(row(rows, 0), (Numbers{0, 1, 2, 6}));
  EXPECT_EQ(row(rows, 3), (Numbers{1, 2, 3, 5, 9}));
  EXPECT_EQ(row(rows, 11), (Numbers{5, 9, 10, 11}));
  EXPECT_EQ(row(seven_point({1, 1, 1}), 0), Numbers{0});
}

TEST(Pattern, SortsEntriesAndAddsTheDiagonal) {
  const Numbers i{2, 0, 2, 2}, j{1, 2, 0, 1};
  const Rows rows = pattern_of(3, i, j);
  EXPECT_EQ(row(rows, 0), (Numbers{0, 2}));
  EXPECT_EQ(row(rows, 1), Numbers{1});
  EXPECT_EQ(row(rows, 2), (Numbers{0, 1, 2}));
  EXPECT_EQ(row(lower_part(rows), 2), (Numbers{0, 1}));
  EXPECT_EQ(lower_part(rows).items().size(), 2u);
}

TEST(Pattern, IsRenumbered) {
  const Numbers i{0, 1}, j{1, 2}, order{2, 0, 1};  // 0 -> 1, 1 -> 2, 2 -> 0
  const Rows rows = permuted(pattern_of(3, i, j), order);
  EXPECT_EQ(row(rows, 0), Numbers{0});
  EXPECT_EQ(row(rows, 1), (Numbers{1, 2}));
  EXPECT_EQ(row(rows, 2), (Numbers{0, 2}));
}

bool is_permutation(Numbers order, uint32_t size) {
  Numbers all(size);
  std::iota(all.begin(), all.end(), 0u);
  std::ranges::sort(order);
  return order == all;
}

uint32_t deepest(const Rows& pattern) {
  return std::ranges::max(graph::depths(*graph::Graph::from(ilu(pattern, 0)->lower)));
}

TEST(Dissection, HasEachCellOnce) {
  for (const Grid& grid : {Grid{1, 1, 1}, Grid{33, 1, 1}, Grid{4, 4, 4}, Grid{3, 11, 5}})
    EXPECT_TRUE(is_permutation(dissected(grid), static_cast<uint32_t>(grid.cells())));
}

// 65 cells in a line: cell 32 is the separator, and comes last; both halves have 32 cells.
TEST(Dissection, NumbersTheSeparatorLast) {
  const Numbers order = dissected({65, 1, 1});
  EXPECT_EQ(order.back(), 32u);
  EXPECT_EQ(order[0], 0u);
  EXPECT_EQ(order[31], 31u);
  EXPECT_EQ(order[32], 33u);
}

TEST(Dissection, LeavesShorterChains) {
  const Grid grid{16, 16, 16};
  const Rows pattern = seven_point(grid);
  EXPECT_EQ(deepest(pattern), 45u);
  EXPECT_LT(deepest(permuted(pattern, dissected(grid))), 35u);
}

TEST(Dissection, ByMetisIsAnOrderOrSaysWhatIsMissing) {
  const Rows pattern = seven_point({9, 9, 9});
  const auto order = dissected_by_metis(pattern);
  if (!order) {
    EXPECT_THAT(order.error(), HasSubstr("(Debian: libmetis"));
    return;
  }
  EXPECT_TRUE(is_permutation(*order, 729));
  EXPECT_LT(deepest(permuted(pattern, *order)), deepest(pattern));
  const Numbers none;
  EXPECT_TRUE(is_permutation(*dissected_by_metis(pattern_of(5, none, none)), 5));
  EXPECT_TRUE(is_permutation(*dissected_by_metis(pattern_of(1, none, none)), 1));
  EXPECT_TRUE(dissected_by_metis(Rows())->empty());
  const Numbers i{0, 0, 3}, j{1, 2, 0};  // not symmetric
  EXPECT_TRUE(is_permutation(*dissected_by_metis(pattern_of(4, i, j)), 4));
}

}  // namespace
}  // namespace vicino::patterns
