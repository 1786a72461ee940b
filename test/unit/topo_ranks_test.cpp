// The shares of ranks, on every recorded machine and for every number of ranks.
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>

#include "four_cores.hpp"
#include "recorded_machines.hpp"
#include "topo/ranks.hpp"

namespace vicino::topo {
namespace {

using testing::ElementsAre;

std::vector<CpuSet> shares(const Machine& machine, int ranks) {
  std::vector<CpuSet> shares;
  for (int rank = 0; rank < ranks; ++rank) shares.push_back(share_of(machine, rank, ranks));
  return shares;
}

std::vector<std::string> lists(const Machine& machine, int ranks) {
  std::vector<std::string> lists;
  for (const CpuSet& share : shares(machine, ranks)) lists.push_back(share.to_list());
  return lists;
}

// How many domains of the level the CPUs are; -1 if they are a part of one.
int whole_domains(const Machine& machine, Level level, const CpuSet& cpus) {
  int count = 0;
  for (const Domain& domain : machine.domains(level)) {
    if (!domain.cpus.intersects(cpus)) continue;
    if (!cpus.contains(domain.cpus)) return -1;
    ++count;
  }
  return count;
}

// Whether the ranks have whole domains of the level, in numbers that differ by at most one.
bool is_even(const Machine& machine, Level level, const std::vector<CpuSet>& shares) {
  std::vector<int> counts;
  for (const CpuSet& share : shares) counts.push_back(whole_domains(machine, level, share));
  const auto [least, most] = std::ranges::minmax(counts);
  return least > 0 && most - least <= 1;
}

int most_kind(const Machine& machine) {
  return std::ranges::max_element(machine.pus(), {}, &Pu::kind)->kind;
}

class Ranks : public testing::TestWithParam<std::string> {
 protected:
  const Machine machine = recorded(GetParam());
  const int nodes = machine.count(Level::kNode);
  const int cores = machine.count(Level::kCore);
  const int threads = machine.count(Level::kThread);
};

TEST_P(Ranks, CoverTheMachineAndShareNothingThatIsEnough) {  // R1, R2
  for (int ranks = 1; ranks <= threads; ++ranks) {
    SCOPED_TRACE(ranks);
    CpuSet all;
    std::vector<int> owners(static_cast<size_t>(cores));
    for (const CpuSet& share : shares(machine, ranks)) {
      EXPECT_FALSE(share.empty());
      EXPECT_FALSE(all.intersects(share));
      all |= share;
      for (int core = 0; core < cores; ++core)
        owners[static_cast<size_t>(core)] +=
            machine.domains(Level::kCore)[static_cast<size_t>(core)].cpus.intersects(share);
    }
    EXPECT_EQ(all, machine.cpus());
    if (ranks <= cores) {
      EXPECT_THAT(owners, testing::Each(1));
    }
  }
}

TEST_P(Ranks, AreEvenAtSomeLevelAndNearlyEvenInCores) {  // R3
  for (int ranks = 1; ranks <= threads; ++ranks) {
    SCOPED_TRACE(ranks);
    const std::vector<CpuSet> all = shares(machine, ranks);
    EXPECT_TRUE(std::ranges::any_of(
        std::array{Level::kNode, Level::kCacheGroup, Level::kCore, Level::kThread},
        [&](Level level) { return is_even(machine, level, all); }));
    if (ranks > cores) continue;
    for (const CpuSet& share : all) {
      const int its_own = whole_domains(machine, Level::kCore, share);
      EXPECT_TRUE(its_own >= cores / ranks || 8 * its_own * ranks >= 7 * cores) << its_own;
    }
  }
}

TEST_P(Ranks, HaveAPartOfEachKindOfCore) {
  if (most_kind(machine) == 0) return;
  for (int ranks = 1; ranks <= cores; ++ranks)
    for (int kind = 0; kind <= most_kind(machine); ++kind) {
      std::vector<int> counts;
      for (const CpuSet& share : shares(machine, ranks))
        counts.push_back(static_cast<int>(
            std::ranges::count_if(machine.domains(Level::kCore), [&](const Domain& core) {
              return core.cpus.intersects(share) && machine.pu_of(core.cpus.first())->kind == kind;
            })));
      const auto [least, most] = std::ranges::minmax(counts);
      EXPECT_LE(most - least, 1) << ranks << " ranks, kind " << kind;
    }
}

TEST_P(Ranks, HaveWholeNodesIfTheyAreAsMany) {
  if (most_kind(machine) != 0) return;
  for (int ranks = 1; ranks <= nodes; ++ranks) {
    if (nodes % ranks != 0) continue;
    for (const CpuSet& share : shares(machine, ranks))
      EXPECT_EQ(whole_domains(machine, Level::kNode, share), nodes / ranks) << ranks;
  }
}

TEST_P(Ranks, TakeTurnsIfThereAreTooFewThreads) {
  const int ranks = 2 * threads + 1;
  for (int rank = 0; rank < ranks; ++rank)
    EXPECT_EQ(share_of(machine, rank, ranks),
              machine.domains(Level::kThread)[static_cast<size_t>(rank % threads)].cpus);
}

INSTANTIATE_TEST_SUITE_P(Machines, Ranks, testing::ValuesIn(recorded_names()),
                         [](const auto& machine) {
                           std::string name = machine.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(RanksByHand, TwoPackagesOfFourCores) {
  const Machine machine = recorded("plain-2x4");
  EXPECT_THAT(lists(machine, 1), ElementsAre("0-7"));
  EXPECT_THAT(lists(machine, 2), ElementsAre("0-3", "4-7"));
  EXPECT_THAT(lists(machine, 3), ElementsAre("0-2", "3-5", "6-7"));
  EXPECT_THAT(lists(machine, 4), ElementsAre("0-1", "2-3", "4-5", "6-7"));
  EXPECT_THAT(lists(machine, 5), ElementsAre("0-1", "2-3", "4-5", "6", "7"));
  EXPECT_THAT(lists(machine, 8), ElementsAre("0", "1", "2", "3", "4", "5", "6", "7"));
  EXPECT_THAT(lists(machine, 9), ElementsAre("0", "1", "2", "3", "4", "5", "6", "7", "0"));
}

TEST(RanksByHand, TwoThreadsOfACoreStayTogether) {
  const Machine machine = recorded("xeon-8160-2x24");
  EXPECT_THAT(lists(machine, 2), ElementsAre("0-23,48-71", "24-47,72-95"));
  EXPECT_EQ(share_of(machine, 0, 48).to_list(), "0,48");
  EXPECT_EQ(share_of(machine, 47, 48).to_list(), "47,95");
  EXPECT_EQ(share_of(machine, 1, 96).to_list(), "48");
}

TEST(RanksByHand, NodesThenCachesThenCores) {
  const Machine machine = recorded("epyc-9354-2x32-nps4");  // 8 nodes, 16 caches, 64 cores
  EXPECT_THAT(lists(machine, 4), ElementsAre("0-15", "16-31", "32-47", "48-63"));
  EXPECT_EQ(lists(machine, 8)[1], "8-15");
  EXPECT_EQ(lists(machine, 16)[1], "4-7");
  EXPECT_THAT(lists(machine, 3), ElementsAre("0-23", "24-43", "44-63"));         // caches
  EXPECT_THAT(lists(machine, 6), ElementsAre("0-10", "11-21", "22-32", "33-43",  // cores
                                             "44-53", "54-63"));
}

TEST(RanksByHand, EachRankHasStrongAndWeakCores) {
  const Machine machine = recorded("hybrid-4p8e");  // CPUs 0-7 are four cores of two threads
  EXPECT_THAT(lists(machine, 2), ElementsAre("0-3,8-11", "4-7,12-15"));
  EXPECT_THAT(lists(machine, 3), ElementsAre("0-3,14-15", "4-5,8-10", "6-7,11-13"));
}

TEST(RanksByHand, ACacheOfWeakCoresIsNoShare) {
  const Machine machine = four_cores({0, 0, 1, 1}, {1, 1, 0, 0});
  EXPECT_THAT(lists(machine, 2), ElementsAre("0,2", "1,3"));
}

// A cpuset may leave much less of one node than of the other.
TEST(RanksByHand, UnequalNodesAreCutBetweenCores) {
  const Machine whole = recorded("plain-2x4");
  Hardware hardware{.name = "",
                    .pus = {},
                    .node_os = {0, 1},
                    .package_os = {0, 1},
                    .memories = {},
                    .latencies = {},
                    .online = whole.online()};
  int core = 0;
  for (Pu pu : whole.pus()) {
    if (pu.os_index == 1 || pu.os_index == 2) continue;
    pu.core = core++;
    hardware.pus.push_back(pu);
  }
  EXPECT_THAT(lists(Machine(std::move(hardware)), 2), ElementsAre("0,3-4", "5-7"));
}

}  // namespace
}  // namespace vicino::topo
