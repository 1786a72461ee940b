// Sites whose executions give no measurement, for instance because each is cancelled.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "site/tuned_site.hpp"
#include "team/domains.hpp"
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
    bool asks_idle = false;
    site.record({1, generation}, site.begin({1, generation}, 0, asks_idle), std::nullopt, 0);
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
    site.record(site.begin(), std::nullopt);
  }
  uint64_t timed = 0;
  for (int i = 0; i < 10'000; ++i) timed += site.wants_this();
  EXPECT_GT(timed, 0u);
  EXPECT_LT(timed, 1000u);
}

uint64_t timed(TunedSite& site) {
  uint64_t executions = 0;
  site.look([&](const tune::SiteTuner& tuner) { executions = tuner.executions(); });
  return executions;
}

TEST(TunedSite, OfConcurrentExecutionsOneIsTimed) {
  TunedConstruct site(call_site, SiteKey::of_taskloop(4, 1000, false), nullptr, std::nullopt);
  for (uint64_t i = 1; i <= 50; ++i) {
    const tune::Begun one = site.begin(), other = site.begin();
    EXPECT_NE(one.lease, tune::Lease::kNone);
    EXPECT_EQ(other.lease, tune::Lease::kNone);
    site.look([&](const tune::SiteTuner& tuner) {
      EXPECT_EQ(one.choice, tuner.choose());
      EXPECT_EQ(other.choice, tuner.best());
    });
    // The other one counts neither as timed nor as missed.
    if (i % 2 == 0) site.record(other, tune::Taken{1, 1000});
    if (i % 2 == 1) site.record(other, std::nullopt);
    EXPECT_EQ(timed(site), i - 1);
    site.record(one, tune::Taken{1e6, 1000});
    EXPECT_EQ(timed(site), i);
  }
  site.look([](const tune::SiteTuner& tuner) {
    for (const tune::Tried& tried : tuner.tried()) EXPECT_EQ(tried.estimate.value(), 1e3);
    EXPECT_NE(tuner.phase(), tune::Phase::kLeftAlone);
  });
}

TEST(TunedSite, AnExecutionThatNobodySeesEndDoesNotStopTheTuner) {
  TunedLoop site(call_site, SiteKey::of_loop(SiteKey::Kind::kLoop, 2, 1000), nullptr, std::nullopt);
  bool asks_idle = false;
  const tune::Begun unseen = site.begin({1, 1}, 0, asks_idle);
  site.abandon(unseen);
  const tune::Begun next = site.begin({1, 1}, 0, asks_idle);
  EXPECT_NE(next.lease, tune::Lease::kNone);
  site.record({1, 1}, unseen, tune::Taken{1, 1000}, 0);
  EXPECT_EQ(timed(site), 0u);
  site.record({1, 1}, next, tune::Taken{1e6, 1000}, 0);
  EXPECT_EQ(timed(site), 1u);
  // In a child of fork() nobody abandons it either.
  site.begin({1, 1}, 0, asks_idle);
  uint32_t refused = 0;
  while (site.begin({1, 1}, 0, asks_idle).lease == tune::Lease::kNone &&
         refused <= tune::Lease::kMostRefused)
    ++refused;
  EXPECT_EQ(refused, tune::Lease::kMostRefused);
}

TEST(TunedSite, InnerRegionsHaveSitesOfTheirOwn) {
  const SiteKey key = SiteKey::of_taskloop(2, 1000, false);
  EXPECT_EQ(key.at_level(1), key);
  EXPECT_NE(key.at_level(2), key);
  EXPECT_EQ(key.at_level(3), key.at_level(2));
  static Site& here = *new Site({&place, nullptr});  // sites are for ever, and so is what they find
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

// Half of eight nodes' threads take half the time, and a tenth less if the mask begins at node 0.
class NodeMasks : public ::testing::Test {
 protected:
  static constexpr int kThreads = 64, kNodes = 8;

  void run(int fast_node) {
    const tune::Begun begun = site.begin();
    const bool all = begun.choice == tune::Choice{0, kThreads};
    std::vector<TunedConstruct::DomainTime> nodes;
    for (int node = 0; all && node < kNodes; ++node)
      nodes.push_back({node, node == fast_node ? 80.0 : 100.0});
    const double ns = all ? 1e7 : cost_with(site.fastest_domain()) * kTrip;
    site.record(begun, tune::Taken{ns, kTrip}, nodes);
  }
  static double cost_with(int first_node) { return first_node == 0 ? 4.5e3 : 5e3; }

  static constexpr uint64_t kTrip = 1000;
  TunedConstruct site{call_site, SiteKey::of_taskloop(kThreads, kTrip, true), nullptr,
                      std::nullopt};
};

TEST_F(NodeMasks, TheFirstNodeIsNotTheWarmUps) {
  run(3);
  EXPECT_EQ(site.fastest_domain(), -1);
  run(5);
  EXPECT_EQ(site.fastest_domain(), 5);
}

TEST_F(NodeMasks, AnEstimateIsOfOneMask) {
  run(3);
  for (int i = 0; i < 100; ++i) run(5);
  EXPECT_EQ(site.fastest_domain(), 5);
  const auto expect_one_mask = [&] {
    site.look([&](const tune::SiteTuner& tuner) {
      for (const tune::Tried& tried : tuner.tried()) {
        if (tried.choice.threads == kThreads) continue;
        EXPECT_EQ(tried.estimate.interval().low, cost_with(site.fastest_domain()));
        EXPECT_EQ(tried.estimate.interval().high, cost_with(site.fastest_domain()));
      }
    });
  };
  expect_one_mask();
  int executions = 0;
  while (site.fastest_domain() == 5 && executions < 10'000) run(0), ++executions, expect_one_mask();
  EXPECT_EQ(site.fastest_domain(), 0) << "after " << executions << " executions";
  for (int i = 0; i < 100; ++i) run(0), expect_one_mask();
  site.look([](const tune::SiteTuner& tuner) {
    EXPECT_EQ(tuner.explored_again(), 1u);
    EXPECT_LT(tuner.best().threads, kThreads);
  });
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
