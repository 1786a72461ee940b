// The nodes of a team's members where nobody has said how threads are bound, on every recorded
// machine.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "recorded_machines.hpp"
#include "topo/near.hpp"

namespace vicino::topo {
namespace {

using testing::ElementsAre;

// (node, members on it) in the order of the members, which must form one block for each node.
std::vector<std::pair<int, int>> blocks(const std::vector<int>& nodes) {
  std::vector<std::pair<int, int>> blocks;
  for (const int node : nodes) {
    if (blocks.empty() || blocks.back().first != node) {
      EXPECT_TRUE(std::ranges::none_of(blocks, [&](auto& b) { return b.first == node; }));
      blocks.emplace_back(node, 0);
    }
    ++blocks.back().second;
  }
  return blocks;
}

const CpuSet& cpus_of(const Machine& machine, int node) {
  return machine.domains(Level::kNode)[static_cast<size_t>(node)].cpus;
}

int cores_in(const Machine& machine, const CpuSet& cpus) {
  return static_cast<int>(
      std::ranges::count_if(machine.domains(Level::kCore),
                            [&](const Domain& core) { return core.cpus.intersects(cpus); }));
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
          EXPECT_TRUE(on_it == cores_in(machine, cpus) || before == members);
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

}  // namespace
}  // namespace vicino::topo
