// graph/records.hpp: which graph an execution of a taskgraph construct finds, and which one is
// kept.
#include <gtest/gtest.h>

#include <vector>

#include "graph/records.hpp"

namespace vicino::graph {
namespace {

using Begun = Records::Begun;

std::shared_ptr<TaskGraph> a_graph() {
  return std::make_shared<TaskGraph>(*Graph::from(Rows({0, 0, 1}, {0})));
}

TEST(GraphRecords, TheFirstExecutionRecordsAndLaterOnesFindTheGraph) {
  Records records;
  const Begun first = records.begin(0, false);
  EXPECT_EQ(first.graph, nullptr);
  EXPECT_TRUE(first.may_record);
  const auto graph = a_graph();
  records.keep(0, first, graph);
  for (int i = 0; i < 3; ++i) {
    const Begun later = records.begin(0, false);
    EXPECT_EQ(later.graph, graph);
    EXPECT_FALSE(later.may_record);
  }
}

TEST(GraphRecords, EachIdHasAGraphOfItsOwn) {
  Records records;
  std::vector<std::shared_ptr<TaskGraph>> graphs;
  const uint64_t ids[] = {0, 1, uint64_t{1} << 32, ~uint64_t{0}};
  for (const uint64_t id : ids) {
    const Begun begun = records.begin(id, false);
    EXPECT_TRUE(begun.may_record);
    records.keep(id, begun, graphs.emplace_back(a_graph()));
  }
  for (size_t i = 0; i < std::size(ids); ++i)
    EXPECT_EQ(records.begin(ids[i], false).graph, graphs[i]);
  EXPECT_EQ(records.begin(1, true).graph, nullptr);
  EXPECT_EQ(records.begin(0, false).graph, graphs[0]);
}

TEST(GraphRecords, OfTwoThatAreRecordedAtATimeTheFirstToEndIsKept) {
  Records records;
  const Begun one = records.begin(0, false), other = records.begin(0, false);
  EXPECT_TRUE(one.may_record);
  EXPECT_TRUE(other.may_record);
  const auto graph = a_graph();
  records.keep(0, other, graph);
  records.keep(0, one, a_graph());
  records.refuse(0, one);
  EXPECT_EQ(records.begin(0, false).graph, graph);
}

TEST(GraphRecords, AResetFreesTheGraphWhenTheLastRunOfItHasEnded) {
  Records records;
  records.keep(0, records.begin(0, false), a_graph());
  Begun run = records.begin(0, false);
  const std::weak_ptr<TaskGraph> graph = run.graph;
  const Begun again = records.begin(0, true);
  EXPECT_EQ(again.graph, nullptr);
  EXPECT_TRUE(again.may_record);
  EXPECT_FALSE(graph.expired());
  run = {};
  EXPECT_TRUE(graph.expired());
}

TEST(GraphRecords, WhatWasBegunBeforeAResetIsNotKept) {
  Records records;
  const Begun before = records.begin(0, false);
  const Begun after = records.begin(0, true);
  records.keep(0, before, a_graph());
  records.refuse(0, before);
  const Begun still = records.begin(0, false);
  EXPECT_EQ(still.graph, nullptr);
  EXPECT_TRUE(still.may_record);
  const auto graph = a_graph();
  records.keep(0, after, graph);
  EXPECT_EQ(records.begin(0, false).graph, graph);
}

TEST(GraphRecords, NobodyRecordsAgainWhatCannotBeRecordedUntilAReset) {
  Records records;
  const Begun one = records.begin(0, false), other = records.begin(0, false);
  records.refuse(0, one);
  EXPECT_FALSE(records.begin(0, false).may_record);
  records.keep(0, other, a_graph());
  EXPECT_EQ(records.begin(0, false).graph, nullptr);
  EXPECT_TRUE(records.begin(7, false).may_record);
  EXPECT_TRUE(records.begin(0, true).may_record);
}

TEST(GraphRecords, TheReasonOfARefusalIsSaidOnce) {
  Records records;
  EXPECT_TRUE(records.refuse(0, records.begin(0, false)));
  EXPECT_FALSE(records.refuse(0, records.begin(0, true)));
  EXPECT_FALSE(records.refuse(1, records.begin(1, false)));
  Records other;
  EXPECT_TRUE(other.refuse(0, other.begin(0, false)));
}

}  // namespace
}  // namespace vicino::graph
