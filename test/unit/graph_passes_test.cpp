// The passes on small graphs that were worked by hand; docs/design/graphs.md draws some of them.
#include <gtest/gtest.h>

#include <limits>

#include "graph/front.hpp"
#include "graph_makers.hpp"

namespace vicino::graph {
namespace {

TEST(GraphSequential, JoinsWhatHasNoOtherNeighbour) {
  //   0 -> 1 -> 2 -> 3 -> 5 -> 6
  //              \-> 4 --/
  const Graph graph = graph_of({{}, {0}, {1}, {2}, {2}, {3, 4}, {5}});
  EXPECT_EQ(groups_of(graph, "S"), (Lists{{0, 1, 2}, {3}, {4}, {5, 6}}));
}

TEST(GraphSequential, NumbersDoNotMatter) {
  // 3 -> 0 -> 2 -> 1
  EXPECT_EQ(groups_of(graph_of({{3}, {2}, {0}, {}}), "S"), (Lists{{3, 0, 2, 1}}));
}

TEST(GraphSequential, ATreeHasOnlyItsStalks) {
  // 0 -> 1 -> {2 -> 4, 3}
  EXPECT_EQ(groups_of(graph_of({{}, {0}, {1}, {1}, {2}}), "S"), (Lists{{0, 1}, {2, 4}, {3}}));
}

TEST(GraphSequential, NoTasksAndNoEdges) {
  EXPECT_EQ(groups_of(graph_of({}), "S"), Lists());
  EXPECT_EQ(groups_of(graph_of({{}, {}}), "S"), (Lists{{0}, {1}}));
}

// A tree: 0, then 1 to 5, then 6 and 7 after 1 and 8 after 5.
Graph small_tree(std::vector<float> cost = {}) {
  return graph_of({{}, {0}, {0}, {0}, {0}, {0}, {1}, {1}, {5}}, std::move(cost));
}

TEST(GraphFront, CutsEachDepthIntoEqualParts) {
  EXPECT_EQ(groups_of(small_tree(), "F(1)"), (Lists{{0}, {1, 2, 3, 4, 5}, {6, 7, 8}}));
  EXPECT_EQ(groups_of(small_tree(), "F(2)"), (Lists{{0}, {1, 2}, {3, 4, 5}, {6}, {7, 8}}));
  EXPECT_EQ(groups_of(small_tree(), "F(3)"), (Lists{{0}, {1, 2}, {3}, {4, 5}, {6}, {7}, {8}}));
}

TEST(GraphFront, HasNoMorePartsThanTasks) {
  const Lists single{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}};
  EXPECT_EQ(groups_of(small_tree(), "F(5)"), single);
  EXPECT_EQ(groups_of(small_tree(), "F(4294967294)"), single);
}

TEST(GraphFront, ATaskIsInThePartWhereItsMiddleLies) {
  // At depth 1 the costs are 4 1 1 1 1: the half is passed within no task.
  EXPECT_EQ(groups_of(small_tree({1, 4, 1, 1, 1, 1, 1, 1, 1}), "F(2)"),
            (Lists{{0}, {1}, {2, 3, 4, 5}, {6}, {7, 8}}));
  // 1 1 1 1 8 in three parts of 4: the last task's middle, 8, is where the third part begins.
  EXPECT_EQ(groups_of(small_tree({1, 1, 1, 1, 1, 8, 1, 1, 1}), "F(3)"),
            (Lists{{0}, {1, 2, 3, 4}, {5}, {6}, {7}, {8}}));
}

TEST(GraphFront, TasksThatCostNothingAreCounted) {
  EXPECT_EQ(groups_of(small_tree(std::vector<float>(9)), "F(2)"), groups_of(small_tree(), "F(2)"));
  // Beside others they are where they lie.
  EXPECT_EQ(groups_of(small_tree({1, 0, 2, 0, 2, 0, 1, 1, 1}), "F(2)"),
            (Lists{{0}, {1, 2}, {3, 4, 5}, {6}, {7, 8}}));
}

TEST(GraphFront, DepthIsTheLongestWay) {
  // 0 -> 1 -> 3, and 0 -> 2; 2 has depth 1 although its number lies between.
  EXPECT_EQ(groups_of(graph_of({{}, {0}, {0}, {1}}), "F(1)"), (Lists{{0}, {1, 2}, {3}}));
}

TEST(GraphFront, NoTasks) { EXPECT_EQ(groups_of(graph_of({}), "F(3)"), Lists()); }

// The parts that Nas takes as nodes: a depth with one task of three equal parts uses the middle
// one.
TEST(GraphFront, PartsAreCountedInEachDepth) {
  std::vector<std::vector<uint32_t>> seen;
  Front::for_each_part(small_tree(), 3, [&](uint32_t task, uint32_t part, uint32_t depth) {
    seen.push_back({task, part, depth});
  });
  EXPECT_EQ(seen, (std::vector<std::vector<uint32_t>>{{0, 1, 0},
                                                      {1, 0, 1},
                                                      {2, 0, 1},
                                                      {3, 1, 1},
                                                      {4, 2, 1},
                                                      {5, 2, 1},
                                                      {6, 0, 2},
                                                      {7, 1, 2},
                                                      {8, 2, 2}}));
}

TEST(GraphDepthFront, TakesLevelAfterLevel) {
  EXPECT_EQ(groups_of(small_tree(), "D(100)"), (Lists{{0, 1, 2, 3, 4, 5, 6, 7, 8}}));
  EXPECT_EQ(groups_of(small_tree(), "D(1)"), (Lists{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}, {8}}));
}

TEST(GraphDepthFront, OfALevelFirstThoseWithTheMostInside) {
  //       0          Taking 1 makes 3 ready, taking 2 makes 4 ready. 3 has one task before it
  //                  inside,
  //      / \         4 has two. So with four tasks it is 4 that joins, and 3 is left.
  //     1   2
  //    / \ /
  //   3   4
  const Graph graph = graph_of({{}, {0}, {0}, {1}, {1, 2}});
  EXPECT_EQ(groups_of(graph, "D(4)"), (Lists{{0, 1, 2, 4}, {3}}));
  EXPECT_EQ(groups_of(graph, "D(5)"), (Lists{{0, 1, 2, 4, 3}}));
}

TEST(GraphDepthFront, TasksOfEarlierAggregatesAreNotInside) {
  // 0 is an aggregate of its own, since 4 and 5 also wait for the other root. Of what 1 releases
  // (2, 3) and what these release (4, 5), 4 has 0 and 2 before it, 5 has 2 and 3.
  const Graph graph = graph_of({{}, {}, {1}, {1}, {0, 2}, {2, 3}});
  EXPECT_EQ(groups_of(graph, "D(4)"), (Lists{{0}, {1, 2, 3, 5}, {4}}));
}

TEST(GraphDepthFront, EqualOnesKeepTheirOrder) {
  EXPECT_EQ(groups_of(graph_of({{}, {0}, {0}, {0}, {0}}), "D(3)"), (Lists{{0, 1, 2}, {3}, {4}}));
  // Of a long list, too, which std::sort() would stir.
  Lists star(101, {0}), expected(1);
  star[0] = {};
  for (uint32_t task = 0; task < 101; ++task) {
    if (task > 50) expected.emplace_back();
    expected.back().push_back(task);
  }
  EXPECT_EQ(groups_of(graph_of(star), "D(51)"), expected);
}

TEST(GraphDepthFront, ATaskThatWaitsForAnotherAggregateIsNotTaken) {
  // 2 comes after both roots: the first root cannot take it, the second one can.
  EXPECT_EQ(groups_of(graph_of({{}, {}, {0, 1}, {2}}), "D(4)"), (Lists{{0}, {1, 2, 3}}));
}

TEST(GraphDepthFront, WhatIsLeftComesAfterWhatWasReadyBefore) {
  // Two stars of three. The first aggregate leaves 3, the second one 6: both are of the next level,
  // and start aggregates after those of the roots.
  const Graph graph = graph_of({{}, {0}, {0}, {0}, {}, {4}, {4}, {4}});
  EXPECT_EQ(groups_of(graph, "D(3)"), (Lists{{0, 1, 2}, {4, 5, 6}, {3}, {7}}));
}

TEST(GraphDepthFront, OfACutLevelTheRestComesBeforeWhatTheTakenOnesReleased) {
  // 0 -> 1, 2, 3; 1 -> 4. With two tasks (0, 1) the aggregate leaves 2 and 3 of its level and 4,
  // which 1 made ready.
  EXPECT_EQ(groups_of(graph_of({{}, {0}, {0}, {0}, {1}}), "D(2)"), (Lists{{0, 1}, {2}, {3}, {4}}));
}

TEST(GraphDepthFront, NoTasks) { EXPECT_EQ(groups_of(graph_of({}), "D(7)"), Lists()); }

TEST(GraphDepthFront, OnAGridOfTwoByTwoBlocks) {
  // The 4 x 4 grid of the columns of a cube: D(4) takes a cell, its two neighbours, and the cell
  // that comes after both.
  Lists before;
  for (uint32_t cell = 0; cell < 16; ++cell) {
    before.emplace_back();
    if (cell % 4 > 0) before.back().push_back(cell - 1);
    if (cell >= 4) before.back().push_back(cell - 4);
  }
  EXPECT_EQ(groups_of(graph_of(before), "D(4)"),
            (Lists{{0, 1, 4, 5}, {2, 3, 6, 7}, {8, 9, 12, 13}, {10, 11, 14, 15}}));
}

TEST(GraphContinuation, TakesTheNextNumber) {
  // 0 -> 1 -> 2 and 0 -> 3 -> 4: 3 does not go on from 2.
  EXPECT_EQ(groups_of(graph_of({{}, {0}, {1}, {0}, {3}}), "C"), (Lists{{0, 1, 2}, {3, 4}}));
}

TEST(GraphContinuation, ANumberThatIsNotReadyEndsIt) {
  // 0 -> 1, but 1 also waits for 3: so 1 starts from 3, from which it does not go on.
  EXPECT_EQ(groups_of(graph_of({{}, {0, 3}, {1}, {}}), "C"), (Lists{{0}, {3}, {1, 2}}));
}

TEST(GraphContinuation, ANumberThatIsReadyButDoesNotGoOnEndsIt) {
  EXPECT_EQ(groups_of(graph_of({{}, {}, {1}}), "C"), (Lists{{0}, {1, 2}}));
}

TEST(GraphContinuation, FallingNumbersGoDown) {
  EXPECT_EQ(groups_of(graph_of({{1}, {2}, {}, {4}, {}}), "C"), (Lists{{2, 1, 0}, {4, 3}}));
  EXPECT_EQ(groups_of(graph_of({{1}, {}}), "C"), (Lists{{1, 0}}));
}

TEST(GraphContinuation, NoTasksAndOne) {
  EXPECT_EQ(groups_of(graph_of({}), "C"), Lists());
  EXPECT_EQ(groups_of(graph_of({{}}), "C"), (Lists{{0}}));
}

TEST(GraphContinuation, ColumnsOfACube) {
  for (const uint32_t n : {1u, 2u, 3u, 7u}) {
    const Graph graph = cube(n);
    Lists columns = groups_of(graph, "C"), backwards = groups_of(graph.turned(), "C");
    ASSERT_EQ(columns.size(), size_t{n} * n);
    std::ranges::sort(columns);
    for (uint32_t i = 0; i < n * n; ++i) {
      std::vector<uint32_t> column(n);
      std::iota(column.begin(), column.end(), i * n);
      EXPECT_EQ(columns[i], column);
    }
    for (auto& column : backwards) std::ranges::reverse(column);
    std::ranges::sort(backwards);
    EXPECT_EQ(backwards, columns);
  }
}

// Two rows of four, each task after its left and its upper neighbour.
Graph two_rows() { return graph_of({{}, {0}, {1}, {2}, {0}, {1, 4}, {2, 5}, {3, 6}}); }

TEST(GraphBlock, PiecesOfTheOrder) {
  EXPECT_EQ(groups_of(two_rows(), "B(1)"), (Lists{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}));
  EXPECT_EQ(groups_of(two_rows(), "B(2)"), (Lists{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(groups_of(two_rows(), "B(3)"), (Lists{{0, 1, 2}, {3}, {4, 5, 6}, {7}}));
}

TEST(GraphBlock, ATaskThatComesAfterNoneOfTheBlockBeginsAnother) {
  EXPECT_EQ(groups_of(graph_of({{}, {}, {1}, {0}}), "B(9)"), (Lists{{0}, {1, 2}, {3}}));
  EXPECT_EQ(groups_of(graph_of({{}, {0}, {0}}), "B(9)"), (Lists{{0, 1, 2}}));
}

TEST(GraphBlock, FallingNumbersAndOtherOrders) {
  EXPECT_EQ(groups_of(two_rows().turned(), "B(3)"), (Lists{{7, 6, 5}, {4}, {3, 2, 1}, {0}}));
  EXPECT_EQ(groups_of(graph_of({{2}, {0}, {}}), "B(2)"), (Lists{{2, 0}, {1}}));
}

TEST(GraphBlock, NoTasksAndOne) {
  EXPECT_EQ(groups_of(graph_of({}), "B(3)"), Lists());
  EXPECT_EQ(groups_of(graph_of({{}}), "B(3)"), (Lists{{0}}));
}

TEST(GraphBlock, PlanesOfACubeAreApart) {
  const Lists blocks = groups_of(cube(5), "B(20)");
  ASSERT_EQ(blocks.size(), 10u);
  for (uint32_t i = 0; i < 10; ++i) EXPECT_EQ(blocks[i].size(), i % 2 == 0 ? 20u : 5u);
}

// Two parts with a separator each, and a separator of two tasks between the parts.
Graph dissected() { return graph_of({{}, {}, {0, 1}, {}, {}, {3, 4}, {2, 5}, {0, 6}}); }

TEST(GraphTree, PartsAreApart) {
  EXPECT_EQ(groups_of(dissected(), "T(8)"), (Lists{{0, 1, 2, 3, 4, 5, 6, 7}}));
  EXPECT_EQ(groups_of(dissected(), "T(7)"), (Lists{{0, 1, 2, 3, 4, 5, 6}, {7}}));
  EXPECT_EQ(groups_of(dissected(), "T(6)"), (Lists{{0, 1, 2, 3, 4, 5}, {6, 7}}));
  EXPECT_EQ(groups_of(dissected(), "T(5)"), (Lists{{0, 1, 2}, {3, 4, 5}, {6, 7}}));
  EXPECT_EQ(groups_of(dissected(), "T(2)"), (Lists{{0, 1}, {2}, {3, 4}, {5}, {6, 7}}));
  EXPECT_EQ(groups_of(dissected(), "T(1)"), (Lists{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}));
}

TEST(GraphTree, OfTheReverseGraphTheSameParts) {
  EXPECT_EQ(groups_of(dissected().turned(), "T(5)"), (Lists{{7, 6}, {5, 4, 3}, {2, 1, 0}}));
}

TEST(GraphTree, AChainIsCut) {
  const Graph chain = graph_of({{}, {0}, {1}, {2}, {3}, {4}, {5}});
  EXPECT_EQ(groups_of(chain, "T(3)"), (Lists{{0, 1, 2}, {3, 4, 5}, {6}}));
}

TEST(GraphTree, PartsThatNothingJoinsShareAggregates) {
  EXPECT_EQ(groups_of(graph_of({{}, {}, {}, {}, {}}), "T(2)"), (Lists{{0, 1}, {2, 3}, {4}}));
  EXPECT_EQ(groups_of(graph_of({}), "T(2)"), Lists());
}

// A task that comes after two tasks makes one an ancestor of the other: all edges go up the tree.
TEST(GraphTree, TasksBeforeTheSameTaskAreInOneSubtree) {
  EXPECT_EQ(groups_of(graph_of({{}, {}, {0}, {0, 1}, {}}), "T(4)"), (Lists{{0, 1, 2, 3}, {4}}));
}

TEST(GraphTree, ASmallSubtreeJoinsATaskAboveALargeOne) {
  Lists before{{}};
  for (uint32_t task = 1; task < 32; ++task) before.push_back({task - 1});
  before.push_back({});
  before.push_back({31, 32});
  const Lists groups = groups_of(graph_of(before), "T(32)");
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[1], (std::vector<uint32_t>{32, 33}));
}

TEST(GraphCoarsen, PassesTakeTheAggregatesOfThoseBefore) {
  // S makes three aggregates of 6 tasks, {0, 1}, {2, 3} and {4, 5}, of which the latter two come
  // after the first. D(2) counts aggregates.
  const Graph graph = graph_of({{}, {0}, {1}, {2}, {1}, {4}}, {1, 2, 4, 8, 16, 32});
  const Coarse coarse = coarsened(graph, "SD(2)");
  EXPECT_EQ(lists_of(coarse.tasks), (Lists{{0, 1, 2, 3}, {4, 5}}));
  EXPECT_EQ(lists_of(coarse.graph.before()), (Lists{{}, {0}}));
  EXPECT_EQ(coarse.graph.cost(0), 15);
  EXPECT_EQ(coarse.graph.cost(1), 48);
}

TEST(GraphCoarsen, NoPassLeavesEachTaskAlone) {
  const Graph graph = graph_of({{1}, {}}, {3, 4});
  const Coarse coarse = coarsened(graph, "");
  EXPECT_EQ(lists_of(coarse.tasks), (Lists{{0}, {1}}));
  EXPECT_EQ(coarse.graph.before(), graph.before());
  EXPECT_EQ(coarse.graph.cost(1), 4);
}

// The sum of the costs of an aggregate may be more than a float can hold.
TEST(GraphCoarsen, HugeCostsAreStillCosts) {
  const float most = std::numeric_limits<float>::max();
  const Coarse coarse = coarsened(graph_of({{}, {0}, {1}}, {most, most, most}), "S");
  ASSERT_EQ(coarse.graph.size(), 1u);
  EXPECT_EQ(coarse.graph.cost(0), most);
}

TEST(GraphQuotient, GroupsThatWaitForEachOtherAreNamed) {
  const Graph graph = graph_of({{}, {0}, {1}});
  EXPECT_EQ(quotient(graph, rows_of({{0, 2}, {1}})).error(),
            "tasks wait for each other in a circle: 0 -> 1 -> 0");
}

TEST(GraphQuotient, AnEdgeIsThereOnce) {
  // Three edges between the same two groups.
  const auto coarse = quotient(graph_of({{}, {}, {0, 1}, {1}}), rows_of({{0, 1}, {2, 3}}));
  ASSERT_TRUE(coarse) << coarse.error();
  EXPECT_EQ(lists_of(coarse->before()), (Lists{{}, {0}}));
  EXPECT_EQ(coarse->cost(1), 2);
}

TEST(GraphTurned, AggregatesRunBackwards) {
  const Coarse coarse = coarsened(graph_of({{}, {0}, {1}, {2}, {1}, {4}}), "S");
  const Coarse back = turned(coarse);
  EXPECT_EQ(lists_of(back.tasks), (Lists{{1, 0}, {3, 2}, {5, 4}}));
  EXPECT_EQ(lists_of(back.graph.before()), (Lists{{2, 1}, {}, {}}));
  EXPECT_EQ(turned(back).tasks, coarse.tasks);
  EXPECT_EQ(turned(back).graph.before(), coarse.graph.before());
}

// What the paper gives for its Cube_100, and the sums that follow from the stencil.
TEST(GraphCube, EdgesOfTheIncompleteFactorization) {
  for (const uint32_t n : {1u, 2u, 5u, 10u, 31u})
    EXPECT_EQ(cube(n).edges(), 3 * n * n * (n - 1)) << n;
  EXPECT_EQ(cube(100).edges(), 2'970'000u);
}

TEST(GraphCube, ColumnsInFoursOfThePaper) {
  const Coarse coarse = coarsened(cube(100), "CD(4)");
  ASSERT_EQ(coarse.graph.size(), 2500u);
  for (uint32_t aggregate = 0; aggregate < 2500; ++aggregate)
    ASSERT_EQ(coarse.tasks.length(aggregate), 400u);
  // A grid of 50 x 50 aggregates.
  EXPECT_EQ(coarse.graph.edges(), 2u * 50 * 49);
}

}  // namespace
}  // namespace vicino::graph
