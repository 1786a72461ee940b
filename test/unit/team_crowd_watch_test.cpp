// A thread leaves its node while others want the node's CPUs, and comes back: in virtual time.
#include <gtest/gtest.h>

#include <functional>

#include "team/crowd_watch.hpp"

namespace vicino::team {
namespace {

constexpr uint64_t kMs = 1'000'000;

// How much of its time a thread that always wants to run has to wait, at home or away, at a moment.
using Waits = std::function<double(bool away, uint64_t now)>;

struct Thread {
  explicit Thread(Waits its_waits) : waits(std::move(its_waits)) { watch.restart(0, {0, 0}); }

  // Regions of a millisecond, each of which asks.
  void run(uint64_t ms) {
    for (uint64_t i = 0; i < ms; ++i) {
      const double share = waits(away, now);
      waited += share * kMs;
      ran += (1 - share) * kMs;
      now += kMs;
      away_ms += away;
      if (!watch.is_due(now)) continue;
      const bool was = away;
      away = watch.look(now, {static_cast<uint64_t>(ran), static_cast<uint64_t>(waited)});
      leaves += away && !was;
    }
  }

  Waits waits;
  CrowdWatch watch;
  uint64_t now = 0, away_ms = 0;
  int leaves = 0;
  double ran = 0, waited = 0;
  bool away = false;
};

TEST(CrowdWatch, AThreadWithACoreOfItsOwnStays) {
  Thread thread([](bool, uint64_t) { return 0.02; });
  thread.run(10'000);
  EXPECT_EQ(thread.leaves, 0);
}

TEST(CrowdWatch, BesideAnotherProgramItIsAwayNearlyAlways) {
  Thread thread([](bool away, uint64_t) { return away ? 0.0 : 0.5; });
  thread.run(60'000);
  EXPECT_GT(thread.away_ms, 0.97 * 60'000);
  // It comes back to look, ever more rarely.
  EXPECT_GT(thread.leaves, 8);
  EXPECT_LT(thread.leaves, 20);
}

TEST(CrowdWatch, ItComesBackForGood) {
  Thread thread([](bool away, uint64_t now) { return away || now > 5000 * kMs ? 0.0 : 0.5; });
  thread.run(5000);
  EXPECT_GT(thread.away_ms, 4500u);
  const uint64_t before = thread.away_ms;
  thread.run(20'000);
  EXPECT_LT(thread.away_ms - before, 7000u);
  EXPECT_FALSE(thread.away);
}

TEST(CrowdWatch, ACrowdThatComesLaterIsNoticedWithinWindows) {
  Thread thread([](bool away, uint64_t now) { return away || now < 1000 * kMs ? 0.0 : 0.5; });
  thread.run(1000);
  EXPECT_EQ(thread.leaves, 0);
  thread.run(30);
  EXPECT_TRUE(thread.away);
}

TEST(CrowdWatch, WhereAllNodesAreCrowdedItIsAtHomeNearlyAlways) {
  Thread thread([](bool, uint64_t) { return 0.5; });
  thread.run(120'000);
  EXPECT_GT(thread.leaves, 3);  // it looks again
  EXPECT_LT(thread.away_ms, 0.05 * 120'000);
}

TEST(CrowdWatch, ASleepingThreadIsNotJudged) {
  CrowdWatch watch;
  watch.restart(0, {0, 0});
  for (uint64_t now = 10 * kMs; now < 10'000 * kMs; now += 10 * kMs)
    if (watch.is_due(now)) {
      EXPECT_FALSE(watch.look(now, {0, now / kMs}));  // 1 ns of waiting for each millisecond
    }
}

// The kernel's counts stand still where it does not tell them.
TEST(CrowdWatch, WithoutTheKernelsCountsItStays) {
  CrowdWatch watch;
  watch.restart(0, {0, 0});
  for (uint64_t now = 10 * kMs; now < 1000 * kMs; now += 10 * kMs)
    EXPECT_FALSE(watch.look(now, {0, 0}));
}

}  // namespace
}  // namespace vicino::team
