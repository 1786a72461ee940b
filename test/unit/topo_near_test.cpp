// The near domains of a team's members where nobody has said how threads are bound, on every recorded
// machine.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "four_cores.hpp"
#include "recorded_machines.hpp"
#include "topo/near.hpp"

namespace vicino::topo {
namespace {

using testing::ElementsAre;

std::vector<int> nodes_near(const Machine& machine, const CpuSet& cpus, int first, int members) {
  return domains_near(machine, Level::kNode, cpus, first, members);
}

// (domain, members on it) in the order of the members, which must form one block for each domain.
std::vector<std::pair<int, int>> blocks(const std::vector<int>& domains) {
  std::vector<std::pair<int, int>> blocks;
  for (const int domain : domains) {
    if (blocks.empty() || blocks.back().first != domain) {
      EXPECT_TRUE(std::ranges::none_of(blocks, [&](auto& b) { return b.first == domain; }));
      blocks.emplace_back(domain, 0);
    }
    ++blocks.back().second;
  }
  return blocks;
}

const CpuSet& cpus_of(const Machine& machine, int domain, Level level = Level::kNode) {
  return machine.domains(level)[static_cast<size_t>(domain)].cpus;
}

int count_cores(const Machine& machine, const CpuSet& cpus) {
  return static_cast<int>(
      std::ranges::count_if(machine.domains(Level::kCore),
                            [&](const Domain& core) { return core.cpus.intersects(cpus); }));
}

TEST(NearLevel, IsThatOfCachesWhichSeveralCoresOfANodeShare) {
  std::map<Level, std::vector<std::string>> machines;
  for (const std::string& name : recorded_names())
    machines[recorded(name).near_level()].push_back(name);
  EXPECT_THAT(machines[Level::kCacheGroup],
              ElementsAre("epyc-7713-64", "epyc-9354-2x32-nps4", "knl-7250-68x4-flat"));
  EXPECT_EQ(machines[Level::kNode].size(), recorded_names().size() - 3);
}

TEST(NearLevel, IsTheNodeWhereAGroupWouldBeOneCoreOrCoresDiffer) {
  EXPECT_EQ(four_cores({0, 0, 1, 1}).near_level(), Level::kCacheGroup);
  EXPECT_EQ(four_cores({0, 0, 0, 0}).near_level(), Level::kNode);
  EXPECT_EQ(four_cores({0, 1, 2, 3}).near_level(), Level::kNode);
  EXPECT_EQ(four_cores({0, 0, 0, 1}).near_level(), Level::kNode) << "only one has several cores";
  EXPECT_EQ(four_cores({0, 0, 1, 1}, {1, 1, 0, 0}).near_level(), Level::kNode);
  EXPECT_EQ(four_cores({0, 0, 1, 1}, {0, 1, 0, 1}).near_level(), Level::kNode);
}

TEST(NearLevel, IsTheNodeWhereACacheHasSeveralNodes) {
  Hardware hardware{.name = "",
                    .pus = {},
                    .node_os = {0, 1, 2, 3},
                    .package_os = {0},
                    .memories = {},
                    .latencies = {},
                    .online = CpuSet::range(0, 8)};
  for (int i = 0; i < 8; ++i)
    hardware.pus.push_back(
        {.os_index = i, .core = i, .cache_group = i / 4, .node = i / 2, .package = 0, .kind = 0});
  EXPECT_EQ(Machine(std::move(hardware)).near_level(), Level::kNode);
}

TEST(CpusNear, AreThoseOfTheNodeWhereAGroupHasOneCoreLeft) {
  const Machine machine = recorded("epyc-7713-64");
  const auto left = *CpuSet::parse_list("0-7,8,16-17");
  const auto near = [&](int group) {
    return cpus_near(machine, Level::kCacheGroup, group, left).to_list();
  };
  EXPECT_EQ(near(0), "0-7");
  EXPECT_EQ(near(1), "0-8,16-17");
  EXPECT_EQ(near(2), "16-17");
  // A node is what it is: nobody has asked for its one CPU, but all others are far from its memory.
  EXPECT_EQ(cpus_near(recorded("plain-2x4"), Level::kNode, 1, CpuSet::range(0, 5)).to_list(), "4");
}

class Near : public testing::TestWithParam<std::string> {};

TEST_P(Near, ATeamFillsCoresThenSharesThreads) {
  const Machine machine = recorded(GetParam());
  const int cores = machine.count(Level::kCore);
  const int threads = static_cast<int>(machine.pus().size());
  for (int first = 0; first < machine.count(Level::kNode); ++first)
    for (int members = 1; members <= 2 * threads + 1; members += 1 + members / 7) {
      SCOPED_TRACE(testing::Message() << members << " from node " << first);
      const auto nodes = nodes_near(machine, machine.cpus(), first, members);
      ASSERT_EQ(nodes.size(), static_cast<size_t>(members));
      EXPECT_EQ(nodes[0], first);
      int before = 0;
      for (const auto& [node, on_it] : blocks(nodes)) {
        before += on_it;
        const CpuSet& cpus = cpus_of(machine, node);
        if (members <= cores) {
          EXPECT_TRUE(on_it == count_cores(machine, cpus) || before == members);
        } else {
          const double share = static_cast<double>(members) * cpus.count() / threads;
          EXPECT_LT(std::abs(on_it - share), 1);
        }
      }
    }
}

TEST_P(Near, OnlyNodesThatTheProcessMayUse) {
  const Machine machine = recorded(GetParam());
  for (int node = 0; node < machine.count(Level::kNode); ++node) {
    const CpuSet others = machine.cpus() - cpus_of(machine, node);
    if (others.empty()) continue;
    for (const int members : {1, 3, others.count(), 2 * others.count()})
      EXPECT_THAT(nodes_near(machine, others, node, members),
                  testing::AllOf(testing::SizeIs(members), testing::Each(testing::Ne(node))));
    EXPECT_THAT(nodes_near(machine, CpuSet::of(cpus_of(machine, node).first()), 0, 3),
                ElementsAre(node, node, node));
  }
}

// Each domain gets its part of its node's members, to the next whole member.
TEST_P(Near, GroupsShareTheMembersOfTheirNode) {
  const Machine machine = recorded(GetParam());
  const Level level = machine.near_level();
  const int cores = machine.count(Level::kCore);
  const int threads = static_cast<int>(machine.pus().size());
  for (int first = 0; first < machine.count(level); ++first)
    for (int members = 1; members <= 2 * threads + 1; members += 1 + members / 7) {
      SCOPED_TRACE(testing::Message() << members << " from domain " << first);
      const auto domains = domains_near(machine, level, machine.cpus(), first, members);
      ASSERT_EQ(domains.size(), static_cast<size_t>(members));
      EXPECT_EQ(domains[0], first);
      std::vector<int> nodes;
      for (const int domain : domains)
        nodes.push_back(machine.node_of(cpus_of(machine, domain, level)));
      EXPECT_EQ(nodes, nodes_near(machine, machine.cpus(), nodes[0], members));
      for (const auto& [domain, on_it] : blocks(domains)) {
        const CpuSet& cpus = cpus_of(machine, domain, level);
        const int node = machine.node_of(cpus);
        const auto of_node = static_cast<double>(std::ranges::count(nodes, node));
        const bool by_cores = members <= cores;
        const auto weight = [&](const CpuSet& set) {
          return by_cores ? count_cores(machine, set) : set.count();
        };
        EXPECT_LT(std::abs(on_it - of_node * weight(cpus) / weight(cpus_of(machine, node))), 1);
        if (by_cores) {
          EXPECT_LE(on_it, count_cores(machine, cpus));
        }
      }
    }
}

INSTANTIATE_TEST_SUITE_P(Machines, Near, testing::ValuesIn(recorded_names()),
                         [](const auto& machine) {
                           std::string name = machine.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(NearByHand, TwoPackagesWithTwoThreadsACore) {
  const Machine machine = recorded("xeon-8160-2x24");
  const auto blocks_of = [&](int first, int members) {
    return blocks(nodes_near(machine, machine.cpus(), first, members));
  };
  using testing::Pair;
  EXPECT_THAT(blocks_of(0, 24), ElementsAre(Pair(0, 24)));
  EXPECT_THAT(blocks_of(1, 24), ElementsAre(Pair(1, 24)));
  EXPECT_THAT(blocks_of(1, 30), ElementsAre(Pair(1, 24), Pair(0, 6)));
  EXPECT_THAT(blocks_of(0, 48), ElementsAre(Pair(0, 24), Pair(1, 24)));
  EXPECT_THAT(blocks_of(0, 49), ElementsAre(Pair(0, 25), Pair(1, 24)));
  EXPECT_THAT(blocks_of(0, 96), ElementsAre(Pair(0, 48), Pair(1, 48)));
  EXPECT_THAT(blocks_of(0, 192), ElementsAre(Pair(0, 96), Pair(1, 96)));
}

TEST(NearByHand, OneNodeWithEightCaches) {
  const Machine machine = recorded("epyc-7713-64");
  const auto domains_of = [&](int first, int members) {
    return domains_near(machine, Level::kCacheGroup, machine.cpus(), first, members);
  };
  using testing::Pair;
  EXPECT_THAT(domains_of(0, 8), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(domains_of(6, 8), ElementsAre(6, 7, 0, 1, 2, 3, 4, 5));
  EXPECT_THAT(domains_of(3, 4), ElementsAre(3, 5, 7, 1))
      << "those of four such teams are evenly spread";
  EXPECT_THAT(blocks(domains_of(7, 16)),
              ElementsAre(Pair(7, 2), Pair(0, 2), Pair(1, 2), Pair(2, 2), Pair(3, 2), Pair(4, 2),
                          Pair(5, 2), Pair(6, 2)));
  const CpuSet left = *CpuSet::parse_list("8-15,20-23");
  EXPECT_THAT(blocks(domains_near(machine, Level::kCacheGroup, left, 0, 12)),
              ElementsAre(Pair(1, 8), Pair(2, 4)));
  EXPECT_THAT(blocks(domains_near(machine, Level::kCacheGroup, left, 2, 6)),
              ElementsAre(Pair(2, 2), Pair(1, 4)));
}

TEST(NearByHand, NodesAreFilledAndTheirCachesShared) {
  const Machine machine = recorded("epyc-9354-2x32-nps4");
  const auto blocks_of = [&](int first, int members) {
    return blocks(domains_near(machine, Level::kCacheGroup, machine.cpus(), first, members));
  };
  using testing::Pair;
  EXPECT_THAT(blocks_of(0, 4), ElementsAre(Pair(0, 2), Pair(1, 2)));
  EXPECT_THAT(blocks_of(3, 10), ElementsAre(Pair(3, 4), Pair(2, 4), Pair(0, 1), Pair(1, 1)));
  EXPECT_THAT(blocks_of(15, 8), ElementsAre(Pair(15, 4), Pair(14, 4)));
}

}  // namespace
}  // namespace vicino::topo
