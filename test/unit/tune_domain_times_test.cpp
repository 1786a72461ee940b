// The first node of node masks: which node it is, and when another one takes its place.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

#include "tune/domain_times.hpp"

namespace vicino::tune {
namespace {

constexpr int kNodes = 8;

using Costs = std::function<double(int node)>;

// An execution on all threads, of which each node takes `cost` of itself. True if another node is
// to be the first.
bool run(DomainTimes& times, const Costs& cost, bool is_warm_up = false) {
  std::vector<DomainTimes::Time> nodes;
  for (int node = 0; node < kNodes; ++node) nodes.push_back({node, cost(node)});
  return times.record({is_warm_up, false, nodes});
}
void run_on_fewer(DomainTimes& times) { times.record({false, true, {}}); }

Costs fastest_is(int fast, double part = 0.8) {
  return [=](int node) { return node == fast ? 100 * part : 100; };
}

TEST(TuneDomainTimes, TheFastestNodeIsFirstUntilFewerThreadsAreTried) {
  DomainTimes times;
  EXPECT_EQ(times.first(), -1);
  for (const int fast : {5, 0, 3}) {
    for (uint32_t i = 0; i < Estimate::kKept; ++i) EXPECT_FALSE(run(times, fastest_is(fast)));
    EXPECT_EQ(times.first(), fast);
  }
}

TEST(TuneDomainTimes, TheWarmUpIsNotCounted) {
  DomainTimes times;
  run(times, fastest_is(5), true);
  EXPECT_EQ(times.first(), -1);
  run(times, fastest_is(3, 0.9));
  EXPECT_EQ(times.first(), 3);
}

// Noise only adds time, or changes it in both directions, or is rare and large.
TEST(TuneDomainTimes, EqualNodesNeverTakeEachOthersPlace) {
  std::mt19937 random(1);
  std::uniform_real_distribution uniform(0.0, 1.0);
  const std::vector<std::function<double(double)>> noises{
      [&](double level) { return 1 + level * uniform(random); },
      [&](double level) { return 1 + level * std::exponential_distribution(1.0)(random); },
      [&](double level) { return 1 + level * uniform(random) * (uniform(random) < 0.1 ? 20 : 1); },
      [&](double level) { return 1 + level * (uniform(random) - 0.5); }};
  for (const double level : {0.0, 0.02, 0.1, 0.3, 1.0})
    for (const auto& noise : noises) {
      DomainTimes times;
      const Costs cost = [&](int) { return 100 * noise(level); };
      run(times, cost);
      const int first = times.first();
      ASSERT_GE(first, 0);
      for (int i = 0; i < 2000; ++i) {
        run_on_fewer(times);
        ASSERT_FALSE(run(times, cost)) << "level " << level << ", execution " << i;
      }
      EXPECT_EQ(times.first(), first);
    }
}

TEST(TuneDomainTimes, ANodeThatBecomesFasterIsTakenOver) {
  std::mt19937 random(1);
  std::uniform_real_distribution noise(1.0, 1.05);
  for (const int executions_before : {1, 100}) {
    DomainTimes times;
    const auto noisy = [&](const Costs& cost) {
      return [&, cost](int node) { return cost(node) * noise(random); };
    };
    for (int i = 0; i < executions_before; ++i) run(times, noisy(fastest_is(5)));
    run_on_fewer(times);
    uint32_t executions = 1;
    while (!run(times, noisy(fastest_is(0))) && executions < 100) ++executions;
    EXPECT_GE(executions, DomainTimes::kInRow);
    EXPECT_LE(executions, Estimate::kKept + DomainTimes::kSure + DomainTimes::kInRow);
    // The caller may not be able to forget what it measured, and then the node stays.
    EXPECT_EQ(times.first(), 5);
    EXPECT_TRUE(run(times, noisy(fastest_is(0))));
    times.change_first();
    EXPECT_EQ(times.first(), 0);
  }
}

TEST(TuneDomainTimes, ADifferenceThatIsNotWorthItChangesNothing) {
  DomainTimes times;
  run(times, fastest_is(5));
  run_on_fewer(times);
  for (int i = 0; i < 1000; ++i) {
    const double part = 1 - DomainTimes::kWorth / 2;
    EXPECT_FALSE(run(times, fastest_is(0, part)));
  }
  EXPECT_EQ(times.first(), 5);
}

TEST(TuneDomainTimes, TheFirstNodeOfAnEarlierRunStaysLikewise) {
  DomainTimes times;
  times.begin_with(2);
  EXPECT_EQ(times.first(), 2);
  for (uint32_t i = 1; i < DomainTimes::kSure + DomainTimes::kInRow - 1; ++i) {
    EXPECT_FALSE(run(times, fastest_is(0)));
    EXPECT_EQ(times.first(), 2);
  }
  EXPECT_TRUE(run(times, fastest_is(0)));
}

TEST(TuneDomainTimes, AFirstNodeThatTheTeamHasLeftIsNotKept) {
  for (const int gone : {kNodes / 2, kNodes}) {
    DomainTimes times;
    times.begin_with(gone);
    const std::vector<DomainTimes::Time> nodes{{0, 90}, {kNodes - 1, 100}};
    bool other = false;
    for (uint32_t i = 0; i < DomainTimes::kSure + DomainTimes::kInRow; ++i)
      other = times.record({false, false, nodes});
    EXPECT_TRUE(other);
    times.change_first();
    EXPECT_EQ(times.first(), 0);
  }
}

TEST(TuneDomainTimes, ExploringAfreshFreesTheFirstNode) {
  DomainTimes times;
  run(times, fastest_is(5));
  run_on_fewer(times);
  run(times, fastest_is(0));
  EXPECT_EQ(times.first(), 5);
  times.begin_again();
  EXPECT_EQ(times.first(), 5);
  run(times, fastest_is(0));
  EXPECT_EQ(times.first(), 0);
}

}  // namespace
}  // namespace vicino::tune
