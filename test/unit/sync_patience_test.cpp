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

}  // namespace
}  // namespace vicino::sync
