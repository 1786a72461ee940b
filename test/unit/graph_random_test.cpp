// What holds for every pass and every coarse string, on random graphs of every shape: aggregates
// are a partition, orders respect each edge, the quotient has the right edges and no circle, and
// each pass keeps its own promise.
#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string>

#include "graph_makers.hpp"

namespace vicino::graph {
namespace {

// I1 to I3 of graph.hpp, without the graph's own check(), which only checked builds have.
void expect_sound(const Graph& graph) {
  graph.check();
  const uint32_t n = graph.size();
  std::set<std::pair<uint32_t, uint32_t>> before, after;
  for (uint32_t task = 0; task < n; ++task) {
    for (const uint32_t other : graph.before(task)) before.emplace(other, task);
    for (const uint32_t other : graph.after(task)) after.emplace(task, other);
  }
  ASSERT_EQ(before, after);
  ASSERT_EQ(before.size(), graph.edges());
  std::vector<uint32_t> place(n, n);
  for (uint32_t i = 0; i < n; ++i) {
    ASSERT_LT(graph.in_order(i), n);
    ASSERT_EQ(place[graph.in_order(i)], n) << "twice in the order";
    place[graph.in_order(i)] = i;
  }
  for (const auto& [from, to] : before) ASSERT_LT(place[from], place[to]);
  const std::vector<uint32_t> depth = depths(graph);
  for (uint32_t task = 0; task < n; ++task) {
    uint32_t expected = 0;
    for (const uint32_t other : graph.before(task)) expected = std::max(expected, depth[other] + 1);
    ASSERT_EQ(depth[task], expected);
  }
}

// For each task its row and its place in it.
std::vector<std::pair<uint32_t, uint32_t>> places(const Rows& rows, uint32_t tasks) {
  std::vector<std::pair<uint32_t, uint32_t>> place(tasks, {UINT32_MAX, 0});
  for (uint32_t row = 0; row < rows.size(); ++row) {
    EXPECT_GT(rows.length(row), 0u) << "an aggregate without tasks";
    for (uint32_t i = 0; i < rows.length(row); ++i) {
      const uint32_t task = rows[row][i];
      EXPECT_LT(task, tasks);
      EXPECT_EQ(place[task].first, UINT32_MAX) << "task " << task << " twice";
      place[task] = {row, i};
    }
  }
  for (const auto& [row, i] : place) EXPECT_NE(row, UINT32_MAX) << "a task in no aggregate";
  return place;
}

void expect_aggregates(const Graph& graph, const Coarse& coarse) {
  expect_sound(coarse.graph);
  ASSERT_EQ(coarse.graph.size(), coarse.tasks.size());
  ASSERT_EQ(coarse.tasks.items().size(), graph.size());
  const auto place = places(coarse.tasks, graph.size());
  if (testing::Test::HasFailure()) return;
  std::set<std::pair<uint32_t, uint32_t>> between, edges;
  for (uint32_t task = 0; task < graph.size(); ++task)
    for (const uint32_t other : graph.before(task)) {
      if (place[other].first == place[task].first)
        ASSERT_LT(place[other].second, place[task].second) << other << " -> " << task;
      else
        between.emplace(place[other].first, place[task].first);
    }
  for (uint32_t group = 0; group < coarse.graph.size(); ++group)
    for (const uint32_t other : coarse.graph.before(group)) edges.emplace(other, group);
  ASSERT_EQ(edges, between);
  for (uint32_t group = 0; group < coarse.graph.size(); ++group) {
    double sum = 0;
    for (const uint32_t task : coarse.tasks[group]) sum += graph.cost(task);
    ASSERT_FLOAT_EQ(coarse.graph.cost(group), static_cast<float>(sum));
  }
}

// S: neighbours in a row have no other neighbour between them, and no two rows could be joined.
void expect_sequential(const Graph& graph, const Rows& groups) {
  const auto place = places(groups, graph.size());
  for (uint32_t task = 0; task < graph.size(); ++task) {
    const auto after = graph.after(task);
    const bool joins = after.size() == 1 && graph.before(after[0]).size() == 1;
    const auto [row, i] = place[task];
    if (joins)
      ASSERT_EQ(place[after[0]], std::pair(row, i + 1));
    else
      ASSERT_EQ(i + 1, groups.length(row));
  }
}

// F: at most n rows of a depth, each of one depth and of consecutive tasks of it, and none that
// costs more than an equal share and its most expensive task.
void expect_front(const Graph& graph, const Rows& groups, uint32_t n) {
  const std::vector<uint32_t> depth = depths(graph);
  std::vector<uint32_t> rows(graph.size()), tasks(graph.size());
  std::vector<double> whole(graph.size());
  for (uint32_t task = 0; task < graph.size(); ++task) {
    whole[depth[task]] += graph.cost(task);
    ++tasks[depth[task]];
  }
  std::pair<uint32_t, uint32_t> last{0, 0};
  for (uint32_t row = 0; row < groups.size(); ++row) {
    const uint32_t level = depth[groups[row][0]];
    ASSERT_LE(++rows[level], n);
    double sum = 0, most = 0;
    for (const uint32_t task : groups[row]) {
      ASSERT_EQ(depth[task], level);
      ASSERT_TRUE(last <= std::pair(level, task)) << "not in the order of depths and numbers";
      last = {level, task};
      sum += graph.cost(task);
      most = std::max<double>(most, graph.cost(task));
    }
    ASSERT_LE(sum, (whole[level] / n + most) * 1.000001);
    if (whole[level] == 0) {
      ASSERT_LE(groups.length(row), tasks[level] / n + 1);
    }
  }
}

// D: at most m tasks, and a row's tasks after the first became ready in it: all before them are in
// it or in an earlier one, and at least one is in it.
void expect_depth_front(const Graph& graph, const Rows& groups, uint32_t m) {
  const auto place = places(groups, graph.size());
  for (uint32_t task = 0; task < graph.size(); ++task) {
    const auto [row, i] = place[task];
    ASSERT_LE(groups.length(row), m);
    bool inside = false;
    for (const uint32_t other : graph.before(task)) {
      ASSERT_LT(place[other], place[task]);
      inside = inside || place[other].first == row;
    }
    ASSERT_EQ(inside, i > 0);
  }
}

// C: each task of a row goes on from the one before it, and has the next number.
void expect_continuation(const Graph& graph, const Rows& groups) {
  for (uint32_t row = 0; row < groups.size(); ++row)
    for (uint32_t i = 1; i < groups.length(row); ++i) {
      const uint32_t task = groups[row][i], previous = groups[row][i - 1];
      ASSERT_TRUE(std::ranges::count(graph.before(task), previous) == 1);
      ASSERT_EQ(std::max(task, previous) - std::min(task, previous), 1u);
      if (i > 1) {
        ASSERT_EQ(task > previous, previous > groups[row][i - 2]);
      }
    }
}

// T: at most n tasks, in the order of the graph.
void expect_tree(const Graph& graph, const Rows& groups, uint32_t n) {
  std::vector<uint32_t> place(graph.size());
  for (uint32_t i = 0; i < graph.size(); ++i) place[graph.in_order(i)] = i;
  for (uint32_t row = 0; row < groups.size(); ++row) {
    ASSERT_LE(groups.length(row), n);
    for (uint32_t i = 1; i < groups.length(row); ++i)
      ASSERT_LT(place[groups[row][i - 1]], place[groups[row][i]]);
  }
}

// B: at most n tasks, pieces of the graph's order. A task but the first of a row comes after another
// of the row; the first comes after none of the row before, unless that one is full.
void expect_block(const Graph& graph, const Rows& groups, uint32_t n) {
  const auto place = places(groups, graph.size());
  uint32_t in_order = 0;
  for (uint32_t row = 0; row < groups.size(); ++row) {
    ASSERT_LE(groups.length(row), n);
    for (const uint32_t task : groups[row]) {
      ASSERT_EQ(task, graph.in_order(in_order++));
      const auto comes_after = [&](uint32_t of_row) {
        return std::ranges::any_of(graph.before(task),
                                   [&](uint32_t other) { return place[other].first == of_row; });
      };
      if (task != groups[row][0]) {
        ASSERT_TRUE(comes_after(row));
      } else if (row > 0 && groups.length(row - 1) < n) {
        ASSERT_FALSE(comes_after(row - 1));
      }
    }
  }
}

void expect_promise(const Step& step, const Graph& graph, const Rows& groups) {
  switch (step.pass->letter) {
    case 'S':
      return expect_sequential(graph, groups);
    case 'F':
      return expect_front(graph, groups, step.parameter);
    case 'D':
      return expect_depth_front(graph, groups, step.parameter);
    case 'C':
      return expect_continuation(graph, groups);
    case 'B':
      return expect_block(graph, groups, step.parameter);
    case 'T':
      return expect_tree(graph, groups, step.parameter);
    default:
      FAIL() << "no promise is known of the pass " << step.pass->letter;
  }
}

CoarseString random_coarse_string(std::mt19937& random) {
  CoarseString steps;
  for (auto left = random() % 5; left > 0; --left) {
    const PassRow& pass = passes()[random() % passes().size()];
    const auto parameter = static_cast<uint32_t>(1 + random() % (random() % 2 ? 5 : 1000));
    steps.push_back({&pass, pass.parameter.empty() ? 0 : parameter});
  }
  return steps;
}

// Each pass of the string keeps its promise about the aggregates of the passes before it.
void expect_steps(const Graph& graph, const CoarseString& steps) {
  Coarse before = *coarsen(graph, {});
  for (size_t i = 0; i < steps.size(); ++i) {
    const Rows groups = steps[i].pass->group(before.graph, steps[i].parameter);
    expect_promise(steps[i], before.graph, groups);
    const auto coarse = coarsen(graph, CoarseString(steps.begin(), steps.begin() + i + 1));
    ASSERT_TRUE(coarse) << coarse.error();
    ASSERT_EQ(coarse->tasks, merged(groups, before.tasks));
    expect_aggregates(graph, *coarse);
    expect_aggregates(graph.turned(), turned(*coarse));
    ASSERT_EQ(turned(turned(*coarse)).tasks, coarse->tasks);
    before = *coarse;
    if (testing::Test::HasFailure()) return;
  }
}

void expect_turns(const Graph& graph) {
  expect_sound(graph.turned());
  const Graph again = graph.turned().turned();
  ASSERT_EQ(again.before(), graph.before());
  ASSERT_EQ(again.after(), graph.after());
  for (uint32_t i = 0; i < graph.size(); ++i) {
    ASSERT_EQ(again.in_order(i), graph.in_order(i));
    ASSERT_EQ(again.cost(i), graph.cost(i));
  }
}

class GraphRandom : public testing::TestWithParam<std::tuple<Kind, Numbers>> {
 protected:
  Graph make(size_t most) {
    const auto [kind, numbers] = GetParam();
    return random_graph(kind, numbers, 2 + random_() % most, random_);
  }
  std::mt19937 random_{20261125};
};

TEST_P(GraphRandom, EachPassKeepsItsPromise) {
  for (int round = 0; round < 30; ++round) {
    const Graph graph = make(60);
    expect_sound(graph);
    expect_turns(graph);
    for (const PassRow& pass : passes())
      for (const uint32_t parameter : {1u, 2u, 3u, 7u, 50u, 4'000'000'000u})
        expect_steps(graph, {{&pass, parameter}});
    ASSERT_FALSE(HasFailure()) << "in round " << round;
  }
}

TEST_P(GraphRandom, CoarseStringsGiveAggregates) {
  for (int round = 0; round < 60; ++round) {
    const Graph graph = make(round % 20 == 0 ? 700 : 60);
    const CoarseString steps = random_coarse_string(random_);
    expect_steps(graph, steps);
    ASSERT_FALSE(HasFailure()) << "in round " << round << " with " << to_text(steps);
  }
}

// Any groups: these are aggregates, or quotient() says that they wait for each other.
TEST_P(GraphRandom, AQuotientHasNoCircle) {
  int circles = 0, good = 0;
  for (int round = 0; round < 60; ++round) {
    const Graph graph = make(12);
    const uint32_t n = graph.size();
    std::vector<uint32_t> row_of(n);
    for (uint32_t& row : row_of) row = static_cast<uint32_t>(random_() % std::max(1u, n));
    std::vector<uint32_t> used(row_of);  // without gaps, since an aggregate has tasks
    std::ranges::sort(used);
    used.erase(std::unique(used.begin(), used.end()), used.end());
    for (uint32_t& row : row_of)
      row = static_cast<uint32_t>(std::ranges::lower_bound(used, row) - used.begin());
    const auto groups = sorted_into_rows(row_of, static_cast<uint32_t>(used.size()));
    const auto coarse = quotient(graph, groups);
    if (coarse)
      expect_sound(*coarse);
    else
      EXPECT_TRUE(coarse.error().starts_with("tasks wait for each other in a circle: "));
    ++(coarse ? good : circles);
  }
  EXPECT_GT(good, 0);
  const Kind kind = std::get<0>(GetParam());
  const bool is_long = kind == Kind::kChain || kind == Kind::kGrid || kind == Kind::kDense;
  EXPECT_GE(circles, is_long ? 1 : 0);
}

INSTANTIATE_TEST_SUITE_P(All, GraphRandom,
                         testing::Combine(testing::ValuesIn(kKinds), testing::ValuesIn(kNumbers)));

}  // namespace
}  // namespace vicino::graph
