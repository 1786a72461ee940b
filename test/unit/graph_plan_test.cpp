#include <gtest/gtest.h>

#include <algorithm>
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

TEST(GraphPlan, AllTasksAreARangeIfTheirNumbersAreTheirOrder) {
  const auto rising = Plan(one_task_each(cube(3))).all_as_range();
  ASSERT_TRUE(rising);
  EXPECT_EQ(rising->first, 0u);
  EXPECT_EQ(rising->count, 27u);
  EXPECT_EQ(rising->step, 1);
  const auto falling = Plan(one_task_each(cube(3).turned())).all_as_range();
  ASSERT_TRUE(falling);
  EXPECT_EQ(falling->first, 26u);
  EXPECT_EQ(falling->step, -1);
  EXPECT_FALSE(Plan(one_task_each(graph_of({{2}, {0}, {}}))).all_as_range());
  EXPECT_FALSE(Plan(one_task_each(graph_of({}))).all_as_range());
  EXPECT_FALSE(Plan(coarsened(cube(3), "C")).all_as_range());  // whole aggregates, even if in order
}

TEST(GraphPlan, HasRangesIfTheyAreLong) {
  EXPECT_TRUE(Plan(coarsened(cube(4), "C")).has_ranges());  // lines of four
  EXPECT_TRUE(Plan(coarsened(cube(4).turned(), "C")).has_ranges());
  EXPECT_FALSE(Plan(coarsened(cube(3), "C")).has_ranges());
  EXPECT_FALSE(Plan(one_task_each(cube(4))).has_ranges());
}

TEST(GraphPlan, KeepsTheRangesOfEachAggregate) {
  for (const char* coarse_string : {"B(7)", "C"})
    for (const bool turned : {false, true}) {
      const Plan plan(coarsened(turned ? cube(5).turned() : cube(5), coarse_string));
      ASSERT_TRUE(plan.has_ranges());
      for (uint32_t aggregate = 0; aggregate < plan.coarse().graph.size(); ++aggregate) {
        std::vector<uint32_t> tasks;
        for (const Range& range : plan.ranges_of(aggregate))
          for (uint32_t i = 0; i < range.count; ++i)
            tasks.push_back(range.first + static_cast<uint32_t>(range.step) * i);
        EXPECT_TRUE(std::ranges::equal(tasks, plan.tasks_of(aggregate)));
      }
    }
}

TEST(GraphPlan, OneThreadJoinsRangesThatContinueEachOther) {
  for (const char* coarse_string : {"B(7)", "C"})
    for (const bool turned : {false, true}) {
      const Plan plan(coarsened(turned ? cube(5).turned() : cube(5), coarse_string));
      std::vector<uint32_t> tasks;
      int calls = 0;
      const auto add = [&](const Range& range) {
        ++calls;
        for (uint32_t i = 0; i < range.count; ++i)
          tasks.push_back(range.first + static_cast<uint32_t>(range.step) * i);
        return 0;
      };
      EXPECT_EQ(plan.run_ranges_alone(add), 0);
      EXPECT_EQ(tasks, run_alone(plan));
      EXPECT_EQ(calls == 1, coarse_string[0] == 'B') << coarse_string;
      EXPECT_EQ(plan.run_ranges_alone([](const Range&) { return 7; }), 7);
    }
}

TEST(GraphRange, AListIsDividedIntoItsRanges) {
  const std::vector<uint32_t> list = {4, 5, 6, 6, 5, 0, 1, 9};
  std::vector<std::vector<uint32_t>> ranges;
  const auto keep = [&](const Range& range) {
    std::vector<uint32_t>& numbers = ranges.emplace_back();
    for (uint32_t i = 0; i < range.count; ++i)
      numbers.push_back(range.first + static_cast<uint32_t>(range.step) * i);
    return ranges.size() == 3 ? 7 : 0;
  };
  EXPECT_EQ(for_each_range(list, keep), 7);
  EXPECT_EQ(ranges, (std::vector<std::vector<uint32_t>>{{4, 5, 6}, {6, 5}, {0, 1}}));
  ranges.clear();
  EXPECT_EQ(for_each_range(std::span(list).last(1), keep), 0);
  EXPECT_EQ(ranges, (std::vector<std::vector<uint32_t>>{{9}}));
}

TEST(GraphPlan, NoTasks) { EXPECT_TRUE(run_alone(Plan(one_task_each(graph_of({})))).empty()); }

}  // namespace
}  // namespace vicino::graph
