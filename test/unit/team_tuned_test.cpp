// Sites whose executions give no measurement, for instance because each is cancelled.
#include <gtest/gtest.h>

#include "site/tuned_site.hpp"

namespace vicino::site {
namespace {

constexpr uint32_t kMissed = tune::SiteTuner::kMostMissed;
const int place = 0;
Site call_site{{&place, nullptr}};

TEST(TunedSite, ALoopThatIsMeasuredInVainIsTimedRarely) {
  TunedLoop site(call_site, SiteKey::of_loop(SiteKey::Kind::kLoop, 2, 1000), nullptr, std::nullopt);
  for (uint64_t generation = 1; generation <= kMissed; ++generation) {
    EXPECT_TRUE(site.times({1, generation}));
    site.miss({1, generation});
  }
  uint64_t timed = 0;
  for (uint64_t generation = 10'000; generation < 20'000; ++generation)
    timed += site.times({1, generation});
  EXPECT_GT(timed, 0u);
  EXPECT_LT(timed, 1000u);
}

TEST(TunedSite, ARegionThatIsMeasuredInVainIsTimedRarely) {
  TunedConstruct site(call_site, SiteKey::of_region(2), nullptr, std::nullopt);
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
}  // namespace vicino::site
