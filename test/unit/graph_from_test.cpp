// Graphs as they are built: what is refused and with which words, and the order of the tasks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "graph/graph.hpp"
#include "graph_makers.hpp"

namespace vicino::graph {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string refusal(const Lists& before, std::vector<float> cost = {}) {
  const auto graph = Graph::from(rows_of(before), std::move(cost));
  EXPECT_FALSE(graph);
  return graph.error();
}

std::vector<uint32_t> order_of(const Graph& graph) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < graph.size(); ++i) order.push_back(graph.in_order(i));
  return order;
}

// Task i + 1 comes after task i.
Lists chain(uint32_t tasks) {
  Lists before(tasks);
  for (uint32_t i = 1; i < tasks; ++i) before[i] = {i - 1};
  return before;
}

TEST(GraphRows, WhatIsNoRows) {
  const auto are = [](std::vector<uint32_t> first, size_t items) { return are_rows(first, items); };
  EXPECT_TRUE(are({0}, 0));
  EXPECT_TRUE(are({0, 0, 1, 3}, 3));
  EXPECT_FALSE(are({}, 0));
  EXPECT_FALSE(are({0}, 1));
  EXPECT_FALSE(are({1, 1, 3}, 3));
  EXPECT_FALSE(are({0, 2, 1, 3}, 3));
  EXPECT_FALSE(are({0, 1, 3}, 4));
  EXPECT_FALSE(are({0, 1, 3}, 2));
}

TEST(GraphFrom, NoTasks) {
  const Graph graph = graph_of({});
  EXPECT_EQ(graph.size(), 0u);
  EXPECT_EQ(graph.edges(), 0u);
  EXPECT_THAT(depths(graph), IsEmpty());
  EXPECT_EQ(graph.turned().size(), 0u);
  EXPECT_EQ(Graph().size(), 0u);
  graph.check();
  graph.turned().check();
}

TEST(GraphFrom, OneTask) {
  const Graph graph = graph_of({{}}, {2.5f});
  EXPECT_EQ(graph.size(), 1u);
  EXPECT_THAT(graph.before(0), IsEmpty());
  EXPECT_THAT(graph.after(0), IsEmpty());
  EXPECT_EQ(graph.cost(0), 2.5f);
  EXPECT_THAT(order_of(graph), ElementsAre(0));
  EXPECT_THAT(depths(graph), ElementsAre(0));
}

TEST(GraphFrom, NoEdges) {
  const Graph graph = graph_of({{}, {}, {}});
  EXPECT_EQ(graph.edges(), 0u);
  EXPECT_THAT(order_of(graph), ElementsAre(0, 1, 2));
  EXPECT_THAT(depths(graph), ElementsAre(0, 0, 0));
}

TEST(GraphFrom, WithoutCostsEachTaskCostsOne) {
  const Graph graph = graph_of({{}, {0}});
  EXPECT_EQ(graph.cost(1), 1);
  EXPECT_THAT(graph.costs(), IsEmpty());
}

TEST(GraphFrom, BothSidesOfEachEdge) {
  //   0   1
  //    \ / \.
  //     2   3
  const Graph graph = graph_of({{}, {}, {1, 0}, {1}});
  EXPECT_EQ(graph.edges(), 3u);
  EXPECT_THAT(graph.before(2), ElementsAre(1, 0));  // as they were given
  EXPECT_THAT(graph.after(0), ElementsAre(2));
  EXPECT_THAT(graph.after(1), ElementsAre(2, 3));
  EXPECT_THAT(graph.after(3), IsEmpty());
  graph.check();
}

TEST(GraphFrom, ATaskThatDoesNotExist) {
  EXPECT_EQ(refusal({{}, {0, 2}}),
            "task 1 comes after task 2, which does not exist: there are 2 tasks, counted from 0");
  EXPECT_EQ(refusal({{UINT32_MAX}}),
            "task 0 comes after task 4294967295, which does not exist: there are 1 tasks, counted "
            "from 0");
}

TEST(GraphFrom, AnEdgeTwice) {
  EXPECT_EQ(refusal({{}, {}, {1, 0, 1}}), "the edge from task 1 to task 2 is there twice");
  // Two tasks may have the same task before them.
  EXPECT_TRUE(Graph::from(rows_of({{}, {0}, {0}})));
}

TEST(GraphFrom, ATaskAfterItself) { EXPECT_EQ(refusal({{}, {0, 1}}), "task 1 comes after itself"); }

TEST(GraphFrom, CirclesAreNamedAlongTheirEdges) {
  EXPECT_EQ(refusal({{1}, {0}}), "tasks wait for each other in a circle: 0 -> 1 -> 0");
  // 0 -> 1 -> 2 -> 3 -> 1 and 3 -> 4: the way back from 1 is 3, 2, 1.
  EXPECT_EQ(refusal({{}, {0, 3}, {1}, {2}, {3}}),
            "tasks wait for each other in a circle: 1 -> 2 -> 3 -> 1");
}

TEST(GraphFrom, ACircleIsFoundFromATaskThatOnlyComesAfterIt) {
  EXPECT_EQ(refusal({{3}, {}, {3}, {2}}), "tasks wait for each other in a circle: 2 -> 3 -> 2");
}

TEST(GraphFrom, OfALongCircleEightTasksAreNamed) {
  Lists eight = chain(8), nine = chain(9), many = chain(100'000);
  eight[0] = {7};
  EXPECT_EQ(refusal(eight),
            "tasks wait for each other in a circle: 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> 0");
  nine[0] = {8};
  EXPECT_EQ(refusal(nine),
            "tasks wait for each other in a circle: 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> "
            "(1 more) -> 0");
  many[0] = {99'999};
  EXPECT_EQ(refusal(many),
            "tasks wait for each other in a circle: 0 -> 1 -> 2 -> 3 -> 4 -> 5 -> 6 -> 7 -> "
            "(99992 more) -> 0");
}

TEST(GraphFrom, CostsThatAreNoCosts) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinite = std::numeric_limits<float>::infinity();
  EXPECT_EQ(refusal({{}, {}}, {1, -0.5f}),
            "task 1 has a cost of -0.5; a cost is a number from 0 on");
  EXPECT_EQ(refusal({{}}, {nan}), "task 0 has a cost of nan; a cost is a number from 0 on");
  EXPECT_EQ(refusal({{}}, {infinite}), "task 0 has a cost of inf; a cost is a number from 0 on");
  EXPECT_EQ(refusal({{}, {}}, {1}), "1 costs are given for 2 tasks");
  EXPECT_EQ(refusal({}, {1}), "1 costs are given for 0 tasks");
  EXPECT_TRUE(Graph::from(rows_of({{}, {}}), {0.0f, std::numeric_limits<float>::max()}));
}

TEST(GraphOrder, OfRisingNumbersIsTheirOrder) {
  EXPECT_THAT(order_of(graph_of({{}, {}, {0}, {1, 2}})), ElementsAre(0, 1, 2, 3));
}

TEST(GraphOrder, OfFallingNumbersIsTheReverse) {
  EXPECT_THAT(order_of(graph_of({{2}, {3, 2}, {}, {}})), ElementsAre(3, 2, 1, 0));
}

TEST(GraphOrder, OfMixedNumbersIsByReadiness) {
  // 1 -> 3 -> 0 and 2 -> 4, 1 -> 4: ready at first are 1 and 2; 1 makes 3 ready, 2 makes 4.
  const Graph graph = graph_of({{3}, {}, {}, {1}, {1, 2}});
  EXPECT_THAT(order_of(graph), ElementsAre(1, 2, 3, 4, 0));
  EXPECT_THAT(depths(graph), ElementsAre(2, 0, 0, 1, 1));
  graph.check();
}

TEST(GraphDepths, IsTheLongestChainBefore) {
  // 4 comes after 0 at once, and through 1, 2 and 3.
  EXPECT_THAT(depths(graph_of({{}, {0}, {1}, {2}, {0, 3}})), ElementsAre(0, 1, 2, 3, 4));
}

TEST(GraphTurned, EdgesAndOrderAreReversed) {
  const Graph graph = graph_of({{3}, {}, {}, {1}, {1, 2}}, {1, 2, 3, 4, 5});
  const Graph back = graph.turned();
  EXPECT_EQ(lists_of(back.before()), (Lists{{}, {4, 3}, {4}, {0}, {}}));
  EXPECT_EQ(lists_of(back.after()), (Lists{{3}, {}, {}, {1}, {2, 1}}));
  EXPECT_THAT(order_of(back), ElementsAre(0, 4, 3, 2, 1));
  EXPECT_EQ(back.cost(4), 5);
  back.check();
}

TEST(GraphTurned, TwiceIsTheSame) {
  for (const Lists& before :
       {Lists{{}, {0}, {1, 0}}, Lists{{1, 2}, {2}, {}}, Lists{{3}, {}, {}, {1}, {2, 1}}}) {
    const Graph graph = graph_of(before);
    const Graph again = graph.turned().turned();
    EXPECT_EQ(again.before(), graph.before());
    EXPECT_EQ(again.after(), graph.after());
    EXPECT_EQ(order_of(again), order_of(graph));
    again.check();
  }
}

}  // namespace
}  // namespace vicino::graph
