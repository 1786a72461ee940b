// Which schedules the tuner chooses from, on each recorded machine of test/machines.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/line.hpp"
#include "config/selection.hpp"
#include "loop/registry.hpp"
#include "site/tuned_site.hpp"
#include "team/shape.hpp"
#include "topo/machine.hpp"
#include "topo/places.hpp"

namespace vicino::site {
namespace {

namespace fs = std::filesystem;

std::string candidates(const topo::Machine& machine, bool of_rank = false) {
  std::string names;
  for (const loop::Selection& schedule : schedules_on(machine, of_rank))
    names.append(names.empty() ? "" : " ").append(config::format_selection(schedule));
  return names;
}

// nich where cores share a cache and there are several such caches; hierarchical where there are
// several nodes.
const std::map<std::string, std::string> kCandidates{
    {"epyc-7713-64", "static ich mixed guided nich"},  // eight caches of eight cores in one node
    {"epyc-9354-2x32-nps4", "static ich mixed guided nich hierarchical"},
    {"hybrid-4p8e", "static ich mixed guided"},                      // one cache for all
    {"knl-7250-68x4-flat", "static ich mixed guided nich"},          // 34 caches of two cores
    {"opteron-8x2-ladder", "static ich mixed guided hierarchical"},  // no core shares its cache
    {"plain-2x4", "static ich mixed guided nich hierarchical"},
    {"single-core", "static ich mixed guided"},
    {"xeon-8160-2x24", "static ich mixed guided nich hierarchical"}};

TEST(TuneCandidates, FollowTheMachine) {
  for (const fs::directory_entry& file : fs::directory_iterator(VICINO_MACHINES)) {
    if (file.path().extension() != ".xml") continue;
    const std::string name = file.path().stem();
    SCOPED_TRACE(name);
    ASSERT_TRUE(kCandidates.contains(name)) << "what are the candidates of this machine?";
    const auto machine = topo::Machine::from_xml(file.path());
    ASSERT_TRUE(machine.ok()) << machine.error();
    EXPECT_EQ(candidates(*machine), kCandidates.at(name));
  }
}

TEST(TuneCandidates, ARankOfAnMpiProgramTriesMixedBySlack) {
  const auto machine = topo::Machine::from_xml(VICINO_MACHINES "/plain-2x4.xml");
  ASSERT_TRUE(machine.ok()) << machine.error();
  EXPECT_EQ(candidates(*machine, true), "static ich mixed,f=slack guided nich hierarchical");
}

// How many threads share a range of the candidate nich, in a team of all hardware threads.
uint32_t sharing(const topo::Machine& machine) {
  const topo::PlaceList places = topo::places_of(machine, topo::Level::kThread);
  std::vector<int> place_of(places.places.size());
  std::iota(place_of.begin(), place_of.end(), 0);
  const loop::Shape shape = team::bound_shape(machine, places, place_of);
  const auto schedules = schedules_on(machine);
  const auto nich = std::ranges::find(schedules, loop::find("nich"), &loop::Selection::row);
  if (nich == schedules.end()) return 0;
  std::vector<loop::Lane> lanes(shape.members());
  loop::Plan plan;
  plan.trip = 1000 * shape.members();
  plan.members = shape.members();
  plan.lanes = lanes;
  plan.values = nich->values;
  plan.shape = &shape;
  alignas(kLinePair) std::byte shared[loop::kSharedSize];
  nich->row->start(shared, plan);
  const auto filled =
      std::ranges::count_if(lanes, [](const auto& l) { return l.word.load() != 0; });
  return shape.members() / static_cast<uint32_t>(filled);
}

// Half a cache's hardware threads, at least 2 and at most 8; on the paper's machine its own number.
TEST(TuneCandidates, NichTakesItsNumbersFromTheMachine) {
  for (const auto& [name, threads] : {std::pair("epyc-7713-64", 4u),
                                      {"epyc-9354-2x32-nps4", 2u},
                                      {"knl-7250-68x4-flat", 4u},
                                      {"plain-2x4", 2u},
                                      {"xeon-8160-2x24", 8u},
                                      {"hybrid-4p8e", 0u}}) {
    const auto machine =
        topo::Machine::from_xml(std::string(VICINO_MACHINES) + "/" + name + ".xml");
    ASSERT_TRUE(machine.ok()) << machine.error();
    EXPECT_EQ(sharing(*machine), threads) << name;
  }
}

}  // namespace
}  // namespace vicino::site
