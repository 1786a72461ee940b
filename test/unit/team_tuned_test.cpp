// Sites whose executions give no measurement, for instance because each is cancelled.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "site/tuned_site.hpp"
#include "team/shape.hpp"
#include "topo/machine.hpp"

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

TEST(TunedSite, InnerRegionsHaveSitesOfTheirOwn) {
  const SiteKey key = SiteKey::of_taskloop(2, 1000, false);
  EXPECT_EQ(key.at_level(1), key);
  EXPECT_NE(key.at_level(2), key);
  EXPECT_EQ(key.at_level(3), key.at_level(2));
  Site here({&place, nullptr});
  TunedConstruct* const outer = TunedConstruct::find(&here, key);
  TunedConstruct* const inner = TunedConstruct::find(&here, key.at_level(2));
  EXPECT_NE(outer, inner);
  EXPECT_EQ(TunedConstruct::find(&here, key.at_level(3)), inner);
  const auto kind_of = [](TunedSite& site) {
    std::string kind;
    site.look([&](const tune::SiteTuner& tuner) { kind = entry_of(site, tuner).key.kind; });
    return kind;
  };
  EXPECT_EQ(kind_of(*outer), "taskloop");
  EXPECT_EQ(kind_of(*inner), "taskloop_inner");
}

// On one node the steal policies do not differ, so there is nothing to compare.
TEST(TunedSite, ATaskloopHasStealPoliciesToChooseFromOnlyOnSeveralNodes) {
  const auto machine = topo::Machine::from_xml(VICINO_MACHINES "/plain-2x4.xml");
  ASSERT_TRUE(machine.ok()) << machine.error();
  const auto candidates = [&](std::vector<int> node_of) {
    const bool several = team::nodes_of_members(*machine, node_of).used.size() > 1;
    const auto members = static_cast<uint32_t>(node_of.size());
    return TunedSite::candidates_of(SiteKey::of_taskloop(members, 1000, several));
  };
  EXPECT_EQ(candidates({0, 0, 0, 0}), 1u);
  EXPECT_EQ(candidates({1, 1, 1, 1}), 1u);
  EXPECT_EQ(candidates({0, 0, 1, 1}), 2u);
}

}  // namespace
}  // namespace vicino::site
