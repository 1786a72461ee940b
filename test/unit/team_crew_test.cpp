// The members of a taskloop's crew, node by node.
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "tasking/crew.hpp"
#include "topo/binding.hpp"
#include "topo/machine.hpp"
#include "topo/places.hpp"
#include "tune/width_search.hpp"

namespace vicino::tasking {
namespace {

using testing::ElementsAre;
using Crew = std::vector<CrewPart>;
const std::vector<int> no_cores(8, -1);

TEST(Crew, OfATeamThatIsNotBoundHasWhoMetTheTaskloop) {
  const std::vector<int> anywhere(5, -1), node{-1};
  EXPECT_EQ(crew_of({anywhere, anywhere}, tier_each(node), 1, 3), (Crew{{-1, {3}}}));
  EXPECT_EQ(crew_of({anywhere, anywhere}, tier_each(node), 3, 3), (Crew{{-1, {0, 1, 3}}}));
  EXPECT_EQ(crew_of({anywhere, anywhere}, tier_each(node), 5, 3), (Crew{{-1, {0, 1, 2, 3, 4}}}));
}

TEST(Crew, FillsOneNodeAfterTheOther) {
  const std::vector<int> node_of{0, 0, 0, 1, 1, 1, 2, 2};
  EXPECT_EQ(crew_of({node_of, no_cores}, tier_each(std::vector{1, 0, 2}), 3, 7),
            (Crew{{1, {3, 4, 5}}}));
  EXPECT_EQ(crew_of({node_of, no_cores}, tier_each(std::vector{1, 0, 2}), 5, 7),
            (Crew{{0, {0, 1}}, {1, {3, 4, 5}}}));
  EXPECT_EQ(crew_of({node_of, no_cores}, tier_each(std::vector{1, 2, 0}), 4, 7),
            (Crew{{1, {3, 4, 5}}, {2, {7}}}));
  EXPECT_EQ(crew_of({node_of, no_cores}, tier_each(std::vector{2, 1, 0}), 8, 0),
            (Crew{{0, {0, 1, 2}}, {1, {3, 4, 5}}, {2, {6, 7}}}));
}

TEST(Crew, PassesOverNodesWithoutMembers) {
  const std::vector<int> node_of{4, 4, 2, 2};
  EXPECT_EQ(crew_of({node_of, no_cores}, tier_each(std::vector{3, 2, 1, 0, 4}), 3, 0),
            (Crew{{4, {0}}, {2, {2, 3}}}));
}

TEST(Crew, OfMembersThatTakeTurnsOnNodes) {
  const std::vector<int> node_of{0, 1, 0, 1};
  EXPECT_EQ(crew_of({node_of, no_cores}, tier_each(std::vector{1, 0}), 4, 0),
            (Crew{{0, {0, 2}}, {1, {1, 3}}}));
}

// Members 0 and 4, 1 and 5, 2 and 6 share a core; 3 and 7 are not bound to one.
TEST(Crew, TakesACoreOnceBeforeItTakesItTwice) {
  const std::vector<int> node_of(8, 0), core_of{0, 1, 2, -1, 0, 1, 2, -1}, node{0};
  const auto members = [&](int threads, int first) {
    return crew_of({node_of, core_of}, tier_each(node), threads, first)[0].members;
  };
  EXPECT_THAT(members(3, 0), ElementsAre(0, 1, 2));
  EXPECT_THAT(members(3, 5), ElementsAre(0, 2, 5));
  EXPECT_THAT(members(5, 0), ElementsAre(0, 1, 2, 3, 7));
  EXPECT_THAT(members(7, 6), ElementsAre(0, 1, 2, 3, 4, 6, 7) /* not 5 */);
  EXPECT_THAT(members(8, 6), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

// Two nodes with 24 cores each, and two threads on each core.
TEST(Crew, OfAMachineWithTwoThreadsToACoreSitsOnDistinctCores) {
  const auto machine = topo::Machine::from_xml(VICINO_MACHINES "/xeon-8160-2x24.xml");
  ASSERT_TRUE(machine.ok()) << machine.error();
  constexpr int kTeam = 96;
  for (const topo::Level level : {topo::Level::kThread, topo::Level::kCore})
    for (const topo::Bind bind : {topo::Bind::kClose, topo::Bind::kSpread}) {
      const topo::PlaceList places = topo::places_of(*machine, level);
      std::vector<int> node_of, core_of;
      for (const auto& [place, first, size] :
           topo::assign_places(bind, {0, places.size()}, -1, kTeam)) {
        node_of.push_back(machine->node_of(places[place]));
        core_of.push_back(machine->core_of(places[place]));
      }
      for (const int first : {0, 1, 50, 95})
        for (const int threads : {1, 12, 24, 30, 48, 60, 72, 96}) {
          const int node = node_of[static_cast<size_t>(first)];
          const Crew crew = crew_of({node_of, core_of},
                                    tier_each(machine->nodes_nearest_first(node)), threads, first);
          int all = 0;
          for (const CrewPart& part : crew) {
            std::map<int, int> on_core;
            for (const int member : part.members) ++on_core[core_of[static_cast<size_t>(member)]];
            const auto count = static_cast<int>(part.members.size());
            EXPECT_EQ(std::ssize(on_core), std::min(count, 24)) << threads << " of node " << node;
            for (const auto& [core, members] : on_core) EXPECT_LE(members, count <= 24 ? 1 : 2);
            EXPECT_TRUE(std::ranges::is_sorted(part.members));
            if (part.domain == node) {
              EXPECT_TRUE(std::ranges::count(part.members, first) == 1);
            }
            all += count;
          }
          EXPECT_EQ(all, threads);
          EXPECT_EQ(std::ssize(crew), threads <= 48 ? 1 : 2);
        }
    }
}

// What the tuner's step is on recorded machines, for a team of all hardware threads.
TEST(Crew, HasWholeNodesByTheTunersStep) {
  const auto grain_of = [](const std::string& name, int members) {
    const auto machine =
        topo::Machine::from_xml(std::string(VICINO_MACHINES) + "/" + name + ".xml");
    return tune::default_grain(members, machine->count(topo::Level::kCore),
                               machine->count(topo::Level::kNode), machine->near_count());
  };
  EXPECT_EQ(grain_of("xeon-8160-2x24", 96), 48);
  EXPECT_EQ(grain_of("xeon-8160-2x24", 48), 24);
  EXPECT_EQ(grain_of("xeon-8160-2x24", 24), 6);  // on one node
  EXPECT_EQ(grain_of("opteron-8x2-ladder", 16), 2);
  // Several cache groups in a node.
  EXPECT_EQ(grain_of("epyc-9354-2x32-nps4", 64), 4);
  EXPECT_EQ(grain_of("epyc-9354-2x32-nps4", 128), 8);
  EXPECT_EQ(grain_of("epyc-9354-2x32-nps4", 8), 2);  // on one node
  EXPECT_EQ(grain_of("epyc-7713-64", 64), 8);
  EXPECT_EQ(grain_of("epyc-7713-64", 128), 16);
  EXPECT_EQ(grain_of("epyc-7713-64", 16), 4);
}

using Parts = std::vector<std::pair<int, size_t>>;

// How many members a crew of a whole recorded machine has in which near domain.
Parts parts_on(const std::string& name, bool in_whole, int threads, int first) {
  const auto machine = topo::Machine::from_xml(std::string(VICINO_MACHINES) + "/" + name + ".xml");
  std::vector<int> domain_of, core_of;
  for (const topo::Pu& pu : machine->pus()) {
    domain_of.push_back(machine->near_of(CpuSet::range(pu.os_index, 1)));
    core_of.push_back(pu.core);
  }
  const auto nearest = machine->near_nearest_first(first);
  const Tiers tiers = in_whole ? tier_each(nearest) : tier_by_node(nearest, *machine);
  Parts parts;
  for (const CrewPart& part : crew_of({domain_of, core_of}, tiers, threads, 0))
    parts.emplace_back(part.domain, part.members.size());
  return parts;
}

TEST(Crew, TakesOneCacheGroupAfterTheOther) {
  EXPECT_EQ(parts_on("epyc-7713-64", true, 20, 5), (Parts{{0, 8}, {1, 4}, {5, 8}}));
  EXPECT_EQ(parts_on("epyc-9354-2x32-nps4", true, 10, 7), (Parts{{0, 2}, {6, 4}, {7, 4}}));
}

TEST(Crew, IsSpreadOverTheCacheGroupsOfANode) {
  EXPECT_EQ(parts_on("epyc-7713-64", false, 3, 5), (Parts{{0, 1}, {1, 1}, {5, 1}}));
  EXPECT_EQ(parts_on("epyc-7713-64", false, 20, 5),
            (Parts{{0, 3}, {1, 3}, {2, 3}, {3, 2}, {4, 2}, {5, 3}, {6, 2}, {7, 2}}));
  EXPECT_EQ(parts_on("epyc-9354-2x32-nps4", false, 11, 7), (Parts{{0, 2}, {1, 1}, {6, 4}, {7, 4}}));
}

TEST(Crew, TakesAllOfAGroupThatHasFewerMembers) {
  const std::vector<int> group_of{0, 1, 1, 1, 1}, order{0, 1};
  const std::vector<int> no_core(5, -1);
  EXPECT_EQ(crew_of({group_of, no_core}, {order}, 4, 0), (Crew{{0, {0}}, {1, {1, 2, 3}}}));
}

TEST(CrewRows, HaveWhatAStaticLoopGives) {
  const Crew parts{{0, {0, 1}}, {1, {2}}};
  const auto rows = crew_rows(parts, 11, 3);
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0].iterations, (loop::Range{0, 4}));
  EXPECT_EQ(rows[1].iterations, (loop::Range{4, 8}));
  EXPECT_EQ(rows[2].iterations, (loop::Range{8, 11}));
  EXPECT_EQ(rows[1].member, 1);
  EXPECT_EQ(rows[2].domain, 1);
}

TEST(CrewRows, OfFewIterationsHaveAsManyUnits) {
  const auto rows = crew_rows(Crew{{-1, {0, 1, 2}}}, 2, 80);
  EXPECT_EQ(rows[0].units, 1u);
  EXPECT_EQ(rows[1].units, 1u);
  EXPECT_EQ(rows[2].units, 0u);
  EXPECT_TRUE(rows[2].iterations.empty());
}

// 31 in 100 of a node's units, rounded up once.
TEST(CrewRows, ShareANodesStrictPart) {
  const auto rows = crew_rows(Crew{{0, {0, 1, 2, 3}}, {1, {4, 5}}}, 60, 10);
  std::vector<uint32_t> strict;
  for (const CrewRow& row : rows) strict.push_back(row.strict);
  EXPECT_THAT(strict, ElementsAre(4, 3, 3, 3, 4, 3));
}

TEST(CrewRows, GiveATenthAtOnce) {
  const Crew parts{{0, {0, 1}}};
  EXPECT_EQ(crew_rows(parts, 1000, 80)[0].at_once, 8u);
  EXPECT_EQ(crew_rows(parts, 60, 80)[0].at_once, 3u);
  EXPECT_EQ(crew_rows(parts, 10, 80)[0].at_once, 1u);
}

// A clause's tasks go to the rows whole, in order, and each is one unit.
TEST(CrewRows, OfAClauseHaveWholeTasks) {
  const Crew parts{{0, {0, 1}}, {1, {2}}};
  using task::Grain;
  for (const task::SplitRequest clause : {task::SplitRequest{Grain::kGrainsize, 7, false},
                                          task::SplitRequest{Grain::kGrainsize, 7, true},
                                          task::SplitRequest{Grain::kNumTasks, 11, false},
                                          task::SplitRequest{Grain::kNumTasks, 2, true}})
    for (const uint64_t trip : {1, 2, 60, 61, 100}) {
      const task::Split split(trip, clause);
      uint64_t task = 0, iteration = 0;
      for (const CrewRow& row : crew_rows(parts, split)) {
        if (row.units == 0) {
          EXPECT_TRUE(row.iterations.empty());
          continue;
        }
        EXPECT_EQ(row.first_task, task);
        EXPECT_EQ(row.iterations.begin, iteration);
        task += row.units;
        iteration = row.iterations.end;
        EXPECT_EQ(iteration, split.range(task - 1).end);
      }
      EXPECT_EQ(task, split.tasks());
      EXPECT_EQ(iteration, trip);
    }
}

TEST(CrewRows, OfAClauseAreAsEvenAsAStaticLoop) {
  const task::Split split(1000, {task::Grain::kNumTasks, 11, false});
  const auto rows = crew_rows(Crew{{0, {0, 1}}, {1, {2, 3}}}, split);
  EXPECT_EQ(rows[0].units, 3u);
  EXPECT_EQ(rows[2].units, 3u);
  EXPECT_EQ(rows[3].units, 2u);
  EXPECT_EQ(rows[0].strict + rows[1].strict, 2u);  // 31 in 100 of the node's six
}

TEST(CrewRows, OfAClauseHoldAsManyTasksAsARowCounts) {
  const task::Split split(UINT64_MAX, {task::Grain::kNumTasks, kMostTasks, false});
  const auto rows = crew_rows(Crew{{0, {3}}}, split);
  EXPECT_EQ(rows[0].units, kMostTasks);
  EXPECT_EQ(rows[0].iterations, (loop::Range{0, UINT64_MAX}));
}

}  // namespace
}  // namespace vicino::tasking
