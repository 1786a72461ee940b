// The numbers that describe a graph, its aggregates and their nodes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "graph/front.hpp"
#include "graph/shape.hpp"
#include "graph_makers.hpp"

namespace vicino::graph {
namespace {

using testing::ElementsAre;

MATCHER_P2(IsShare, tasks, cost, "") {
  return arg.tasks == static_cast<uint32_t>(tasks) && arg.cost == cost;
}
MATCHER_P4(IsSpread, least, median, mean, largest, "") {
  *result_listener << arg.least << " " << arg.median << " " << arg.mean << " " << arg.largest;
  return arg.least == least && arg.median == median && arg.mean == mean && arg.largest == largest;
}

TEST(GraphShape, NoTasks) {
  const Shape shape = shape_of(graph_of({}));
  EXPECT_EQ(shape.tasks, 0u);
  EXPECT_EQ(shape.depth, 0u);
  EXPECT_EQ(shape.widest, 0u);
  EXPECT_EQ(shape.cost, 0);
  EXPECT_EQ(shape.parallelism(), 0);
  EXPECT_THAT(sizes_of(coarsened(graph_of({}), "")).tasks, IsSpread(0, 0, 0, 0));
  EXPECT_TRUE(division_of(graph_of({}), Rows(), {}).nodes.empty());
}

TEST(GraphShape, TheLongestChainIsNotTheMostExpensive) {
  // 0 -> 1 -> 2, of costs 1, 2, 3, and 0 -> 3, of cost 9.
  const Shape shape = shape_of(graph_of({{}, {0}, {1}, {0}}, {1, 2, 3, 9}));
  EXPECT_EQ(shape.tasks, 4u);
  EXPECT_EQ(shape.edges, 3u);
  EXPECT_EQ(shape.depth, 3u);
  EXPECT_EQ(shape.widest, 2u);
  EXPECT_EQ(shape.cost, 15);
  EXPECT_EQ(shape.critical_path, 10);
  EXPECT_EQ(shape.parallelism(), 1.5);
}

TEST(GraphShape, OfNumbersInAnyOrder) {
  // 3 -> 0 -> 2, 3 -> 1, and 4 alone: the levels have two, two and one tasks.
  const Shape shape = shape_of(graph_of({{3}, {3}, {0}, {}, {}}, {4, 1, 2, 8, 3}));
  EXPECT_EQ(shape.depth, 3u);
  EXPECT_EQ(shape.widest, 2u);
  EXPECT_EQ(shape.critical_path, 14);
}

TEST(GraphShape, WithoutCostsTasksAreCounted) {
  const Shape shape = shape_of(cube(5));
  EXPECT_EQ(shape.cost, 125);
  EXPECT_EQ(shape.depth, 13u);  // the levels are x + y + z
  EXPECT_EQ(shape.critical_path, 13);
  EXPECT_EQ(shape.widest, 19u);  // of the sum 6
}

TEST(GraphShape, TasksThatCostNothing) {
  const Shape shape = shape_of(graph_of({{}, {0}}, {0, 0}));
  EXPECT_EQ(shape.depth, 2u);
  EXPECT_EQ(shape.critical_path, 0);
  EXPECT_EQ(shape.parallelism(), 0);
}

TEST(GraphSizes, OfAggregates) {
  // Chains of 1, 2, 3 and 6 tasks.
  const Graph graph = graph_of({{}, {}, {1}, {}, {3}, {4}, {}, {6}, {7}, {8}, {9}, {10}},
                               {7, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0});
  const Sizes sizes = sizes_of(coarsened(graph, "S"));
  EXPECT_THAT(sizes.tasks, IsSpread(1, 2.5, 3, 6));
  EXPECT_THAT(sizes.cost, IsSpread(0, 2.5, 3, 7));
}

TEST(GraphSizes, TheMedianOfAnOddNumberIsOneOfThem) {
  const Graph graph = graph_of({{}, {0}, {1}, {}, {}});
  EXPECT_THAT(sizes_of(coarsened(graph, "S")).tasks, IsSpread(1, 1, 5.0 / 3, 3));
}

TEST(GraphDivision, OfAnAggregateToANode) {
  //   0 -> 1 -> 2    The aggregates {0, 1}, {2}, {3}, {4, 5} are of the nodes 2, none, 0 and 2.
  //   |\       |     Cut are 0 -> 3 and 3 -> 4, but neither 1 -> 2 nor 2 -> 5: task 2 may run
  //   | 3      |     anywhere.
  //   |  \     |
  //   |   4    |
  //   |  /     |
  //   5 <------'
  const Graph graph = graph_of({{}, {0}, {1}, {0}, {3}, {0, 4, 2}}, {1, 2, 4, 8, 16, 32});
  const Rows aggregates = rows_of({{0, 1}, {2}, {3}, {4, 5}});
  const std::vector<int> node{2, -1, 0, 2};
  const Division division = division_of(graph, aggregates, node);
  EXPECT_THAT(division.nodes, ElementsAre(IsShare(1, 8.0), IsShare(0, 0.0), IsShare(4, 51.0)));
  EXPECT_THAT(division.without, IsShare(1, 4.0));
  EXPECT_EQ(division.cut, 2u);
}

TEST(GraphDivision, WithoutAnyNode) {
  const std::vector<int> none{-1, -1};
  const Division division = division_of(graph_of({{}, {0}}), rows_of({{0}, {1}}), none);
  EXPECT_TRUE(division.nodes.empty());
  EXPECT_THAT(division.without, IsShare(2, 2.0));
  EXPECT_EQ(division.cut, 0u);
}

// F(nodes) cuts a cube of columns into slabs: of the 3 directions of the edges the one along z is
// never cut, and most edges stay within a node.
TEST(GraphDivision, OfACubeByFront) {
  const Graph graph = cube(8);
  const Coarse coarse = coarsened(graph, "C");
  std::vector<int> node(coarse.graph.size());
  Front::for_each_part(coarse.graph, 2, [&](uint32_t task, uint32_t part, uint32_t) {
    node[task] = static_cast<int>(part);
  });
  const Division division = division_of(graph, coarse.tasks, node);
  ASSERT_EQ(division.nodes.size(), 2u);
  EXPECT_EQ(division.nodes[0].tasks + division.nodes[1].tasks, graph.size());
  EXPECT_EQ(division.cut % 8, 0u);
  EXPECT_LT(division.cut, graph.edges() / 4);
}

}  // namespace
}  // namespace vicino::graph
