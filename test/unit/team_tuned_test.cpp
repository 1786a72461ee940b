// Sites whose executions say nothing: each is cancelled, for instance.
#include <gtest/gtest.h>

#include "team/tuned.hpp"

namespace vicino::team {
namespace {

constexpr uint32_t kMissed = tune::SiteTuner::kMostMissed;
const int place = 0;
const CallSite kCall{&place, nullptr};

TEST(TunedSite, ALoopThatIsMeasuredInVainIsTimedRarely) {
  TunedSite site(kCall, SiteKey::of_loop(SiteKey::Kind::kLoop, 2, 1000), nullptr, std::nullopt);
  for (uint64_t meeting = 1; meeting <= kMissed; ++meeting) {
    EXPECT_TRUE(site.times({1, meeting}));
    site.miss({1, meeting});
  }
  uint64_t timed = 0;
  for (uint64_t meeting = 10'000; meeting < 20'000; ++meeting) timed += site.times({1, meeting});
  EXPECT_GT(timed, 0u);
  EXPECT_LT(timed, 1000u);
}

TEST(TunedSite, ARegionThatIsMeasuredInVainIsTimedRarely) {
  TunedSite site(kCall, SiteKey::of_region(2), nullptr, std::nullopt);
  for (uint32_t i = 0; i < kMissed; ++i) {
    EXPECT_TRUE(site.wants_this());
    site.miss();
  }
  uint64_t timed = 0;
  for (int i = 0; i < 10'000; ++i) timed += site.wants_this();
  EXPECT_GT(timed, 0u);
  EXPECT_LT(timed, 1000u);
}

}  // namespace
}  // namespace vicino::team
