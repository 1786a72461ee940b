// sync/patience.hpp: what a place remembers of threads that wanted its core.
#include <gtest/gtest.h>

#include "sync/patience.hpp"

namespace vicino::sync {
namespace {

constexpr PatienceLimits kInRegion{.heeds_crowd = false};
constexpr PatienceLimits kBetween{.heeds_crowd = false, .heeds_others = true};

TEST(Patience, SleepsInTheNextWaitsWhereOthersWantTheCore) {
  Patience place;
  plat::Budget budget = place.take_budget(kBetween);
  EXPECT_EQ(budget.ns, kBetween.first);
  EXPECT_TRUE(budget.heeds_others);
  budget.others_wait = true;
  EXPECT_FALSE(place.leaves_core(kBetween));
  place.polled(budget, kBetween);
  EXPECT_TRUE(place.leaves_core(kBetween));
  for (int wait = 0; wait < 15; ++wait) {
    budget = place.take_budget(kBetween);
    EXPECT_EQ(budget.ns, 0u) << wait;
    EXPECT_TRUE(place.leaves_core(kBetween)) << wait;
    place.polled(budget, kBetween);  // it has not polled, and so learned nothing
  }
  EXPECT_EQ(place.take_budget(kBetween).ns, kBetween.first);
  EXPECT_FALSE(place.leaves_core(kBetween));
}

// What was seen between regions says nothing once the team sleeps at each wait, as it does beside other teams.
TEST(Patience, LeavesTheCoreOnlyWhereOthersAreHeeded) {
  Patience place;
  plat::Budget budget = place.take_budget(kBetween);
  budget.others_wait = true;
  place.polled(budget, kBetween);
  EXPECT_TRUE(place.leaves_core(kBetween));
  EXPECT_FALSE(place.leaves_core(PatienceLimits::fixed(0, true)));
}

TEST(Patience, LooksForOthersAgainHoweverShortItsBudgetIs) {
  Patience place;
  plat::Budget budget = place.take_budget(kBetween);
  budget.others_wait = true;
  place.polled(budget, kBetween);
  for (int wait = 0; wait < 15; ++wait) {
    place.take_budget(kBetween);
    place.slept(10 * kBetween.most, kBetween);
  }
  EXPECT_EQ(place.take_budget(kBetween).ns, 25'000u);
  EXPECT_EQ(place.take_budget(kBetween).ns, kBetween.least);
}

TEST(Patience, OnlyBetweenRegions) {
  Patience place;
  EXPECT_FALSE(place.take_budget(kInRegion).heeds_others);
  plat::Budget budget = place.take_budget(kBetween);
  budget.others_wait = true;
  place.polled(budget, kBetween);
  EXPECT_EQ(place.take_budget(kInRegion).ns, kInRegion.first);
}

// A wait that polls, and loses the core or not. Returns its budget.
uint64_t polled(Patience& place, bool loses, const PatienceLimits& limits = kInRegion) {
  plat::Budget budget = place.take_budget(limits);
  const uint64_t ns = budget.ns;
  budget.lost_slice = loses && ns > 0;
  place.polled(budget, limits);
  return ns;
}

TEST(Patience, SleepsWherePollingLostTheCoreThreeTimesInARow) {
  Patience place;
  for (int times = 0; times < 2; ++times) {
    for (int wait = 0; wait < 3; ++wait) EXPECT_EQ(polled(place, true), kInRegion.first) << wait;
    // Of 16 waits one polls. While it loses the core the others sleep at once.
    int polls = 0;
    for (int wait = 0; wait < 160; ++wait) polls += polled(place, true) != 0;
    EXPECT_EQ(polls, 10);
    for (int wait = 0; polled(place, false) == 0; ++wait) ASSERT_LT(wait, 16);
    for (int wait = 0; wait < 100; ++wait) EXPECT_EQ(polled(place, false), kInRegion.first);
  }
}

TEST(Patience, ALossNowAndThenChangesNothing) {
  Patience place;
  for (int wait = 0; wait < 100; ++wait) EXPECT_NE(polled(place, wait % 3 != 0), 0u) << wait;
}

// After a loss to a member of the team the next wait sleeps, and says nothing.
TEST(Patience, ALossToAMemberIsForgottenByAGoodWait) {
  Patience place;
  for (int times = 0; times < 10; ++times) {
    plat::Budget budget = place.take_budget(kInRegion);
    budget.lost_core = true;
    place.polled(budget, kInRegion);
    EXPECT_EQ(polled(place, false), 0u) << times;
    EXPECT_EQ(polled(place, false), kInRegion.first) << times;
  }
}

TEST(Patience, WhatTheUserHasSetStays) {
  constexpr auto kSet = PatienceLimits::fixed(1000);
  Patience place;
  for (int wait = 0; wait < 100; ++wait) EXPECT_EQ(polled(place, true, kSet), 1000u) << wait;
}

}  // namespace
}  // namespace vicino::sync
