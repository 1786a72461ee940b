#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "graph/plan.hpp"
#include "graph_makers.hpp"

namespace vicino::graph {
namespace {

// The tasks as one thread runs them.
std::vector<uint32_t> run_alone(const Plan& plan) {
  std::vector<uint32_t> all;
  const auto add = [&](std::span<const uint32_t> tasks) {
    EXPECT_FALSE(tasks.empty());
    all.insert(all.end(), tasks.begin(), tasks.end());
    return 0;
  };
  EXPECT_EQ(plan.run_alone(add), 0);
  return all;
}

std::vector<uint32_t> numbers(uint32_t count) {
  std::vector<uint32_t> all(count);
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

Coarse one_task_each(const Graph& graph) { return {graph, one_each(graph.size())}; }

// Sides below, at and above the number of tasks that a body gets at a time.
TEST(GraphPlan, OneThreadRunsTasksByNumber) {
  for (const uint32_t side : {1u, 2u, 6u, 7u, 8u, 9u}) {
    const std::vector<uint32_t> rising = numbers(side * side * side);
    const std::vector<uint32_t> falling(rising.rbegin(), rising.rend());
    EXPECT_EQ(run_alone(Plan(one_task_each(cube(side)))), rising);
    EXPECT_EQ(run_alone(Plan(one_task_each(cube(side).turned()))), falling);
  }
}

TEST(GraphPlan, OneThreadRunsTasksInAnyOtherOrder) {
  const Graph graph = graph_of({{2}, {0}, {}});
  EXPECT_EQ(run_alone(Plan(one_task_each(graph))), (std::vector<uint32_t>{2, 0, 1}));
  auto turned_about = coarse_of(graph_of({{}, {}, {}}), rows_of({{1}, {2}, {0}}));
  ASSERT_TRUE(turned_about) << turned_about.error();
  EXPECT_EQ(run_alone(Plan(*turned_about)), (std::vector<uint32_t>{1, 2, 0}));
}

TEST(GraphPlan, ABodyEndsTheRun) {
  for (const Graph& graph : {cube(9), cube(9).turned()}) {
    size_t seen = 0;
    const int said = Plan(one_task_each(graph)).run_alone([&](std::span<const uint32_t> tasks) {
      seen += tasks.size();
      return seen > 300 ? 7 : 0;
    });
    EXPECT_EQ(said, 7);
    EXPECT_GT(seen, 300u);
    EXPECT_LT(seen, 9u * 9 * 9);
  }
}

TEST(GraphPlan, NoTasks) { EXPECT_TRUE(run_alone(Plan(one_task_each(graph_of({})))).empty()); }

}  // namespace
}  // namespace vicino::graph
