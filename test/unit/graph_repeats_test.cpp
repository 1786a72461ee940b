// graph/repeats.hpp: which tasks are held back, what counts as seen again, and when a site is given
// up. Each test has its own sites: the addresses of its own array.
#include <gtest/gtest.h>

#include <vector>

#include "graph/repeats.hpp"

namespace vicino::graph {
namespace {

using task::Access;
using task::Dependence;

struct Generated {
  const void* code;
  std::vector<Dependence> dependences;
};
using Tasks = std::vector<Generated>;

// The tasks are generated, and the thread waits. Returns how many of them were held back when the
// last one had come, and whether they were complete.
struct Outcome {
  size_t held = 0;
  bool complete = false;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};
Outcome generate(Follower& follower, const Tasks& tasks) {
  Outcome outcome;
  for (const auto& [code, dependences] : tasks) {
    const bool holds = follower.add(code, dependences);
    // Those that are let go now are looked up here.
    for (size_t i = 0; !holds && i < outcome.held; ++i)
      EXPECT_EQ(follower.dependences(i).size(), tasks[i].dependences.size());
    outcome.held = holds ? outcome.held + 1 : 0;
  }
  outcome.complete = follower.complete() != nullptr;
  follower.end();
  return outcome;
}

Tasks chain(const char* code, const char* data, size_t tasks) {
  return Tasks(tasks, {code, {{data, Access::kOut}}});
}

TEST(Repeats, TheSecondTimeIsComplete) {
  static const char at[2] = {};
  Follower follower;
  EXPECT_EQ(generate(follower, chain(at, at, 5)), Outcome());
  EXPECT_EQ(generate(follower, chain(at, at, 5)), (Outcome{5, true}));
  EXPECT_EQ(generate(follower, chain(at, at, 5)), (Outcome{5, true}));
}

TEST(Repeats, AnotherThreadKnowsWhatOneHasSeen) {
  static const char at[2] = {};
  Follower one, other;
  generate(one, chain(at, at, 5));
  EXPECT_EQ(generate(other, chain(at, at, 5)), (Outcome{5, true}));
}

// Whatever is different, the task from which on it is different ends the holding back.
TEST(Repeats, EveryDifferenceIsSeen) {
  static const char at[12] = {};
  const Tasks tasks = {{&at[0], {{&at[0], Access::kOut}}},
                       {&at[1], {{&at[0], Access::kIn}, {&at[1], Access::kOut}}},
                       {&at[1], {{&at[1], Access::kOut}}}};
  Follower follower;
  generate(follower, tasks);
  Tasks other = tasks;
  other[1].code = &at[2];
  EXPECT_EQ(generate(follower, other).held, 0u);
  other = tasks;
  other[1].dependences[0].address = &at[3];
  EXPECT_EQ(generate(follower, other).held, 0u);
  other = tasks;
  other[1].dependences[0].access = Access::kOut;
  EXPECT_EQ(generate(follower, other).held, 0u);
  other = tasks;
  other[1].dependences.pop_back();
  EXPECT_EQ(generate(follower, other).held, 0u);
  other = tasks;
  other.push_back(tasks[2]);
  EXPECT_EQ(generate(follower, other).held, 0u);
  other = tasks;
  other.pop_back();
  EXPECT_EQ(generate(follower, other), (Outcome{2, false}));
  EXPECT_EQ(generate(follower, tasks), (Outcome{3, true}));
}

TEST(Repeats, SequencesThatTakeTurnsAreAllKnown) {
  static const char at[2] = {};
  Follower follower;
  for (size_t round = 0; round < 4; ++round)
    for (size_t tasks = 2; tasks < 2 + RepeatSite::kMostShapes; ++tasks)
      EXPECT_EQ(generate(follower, chain(at, at, tasks)).complete, round > 0);
}

TEST(Repeats, ASiteThatNeverRepeatsIsGivenUp) {
  static const char at[100] = {};
  Follower follower;
  for (size_t i = 1; i <= RepeatSite::kMostFailures + 1; ++i)
    generate(follower, chain(at, &at[i], 3));
  EXPECT_EQ(RepeatSite::at(at), nullptr);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(generate(follower, chain(at, at, 3)), Outcome());
}

TEST(Repeats, WhatIsRefusedIsRefusedForGood) {
  static const char at[2] = {};
  Follower follower;
  follower.add(at, {});
  follower.refuse();
  follower.end();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(generate(follower, chain(at, at, 3)), Outcome());
}

TEST(Repeats, ARefusalLeavesTheSequenceBeforeAlone) {
  static const char at[2] = {};
  Follower follower;
  generate(follower, chain(at, at, 3));
  follower.refuse();
  follower.end();
  EXPECT_EQ(generate(follower, chain(at, at, 3)), (Outcome{3, true}));
}

TEST(Repeats, TheGraphHasTheOrderOfTheDependences) {
  static const char at[3] = {};
  Sequence sequence;
  for (const Dependence one : {Dependence{&at[0], Access::kOut}, Dependence{&at[1], Access::kOut},
                               Dependence{&at[0], Access::kIn}, Dependence{&at[0], Access::kIn},
                               Dependence{&at[0], Access::kOut}})
    sequence.add(at, std::span(&one, 1));
  Repeat repeat(sequence);
  const Graph& graph = repeat.graph().tasks();
  ASSERT_EQ(graph.size(), 5u);
  EXPECT_EQ(graph.edges(), 4u);
  EXPECT_EQ(graph.before(1).size(), 0u);
  EXPECT_EQ(graph.before(4).size(), 2u);
  EXPECT_EQ(&repeat.graph(), &repeat.graph());
}

}  // namespace
}  // namespace vicino::graph
