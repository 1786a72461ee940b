// Where a team's members are, as loops see it, on every recorded machine; and every schedule there.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <numeric>
#include <random>

#include "loop/registry.hpp"
#include "team/shape.hpp"
#include "topo/machine.hpp"
#include "topo/places.hpp"

namespace vicino::loop {
namespace {

namespace fs = std::filesystem;
using topo::Distance;
using topo::Machine;

std::vector<std::string> machines() {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(VICINO_MACHINES))
    if (file.path().extension() == ".xml") names.push_back(file.path().stem());
  return names;
}

class ShapeTest : public testing::TestWithParam<std::string> {
 protected:
  const Machine machine_ =
      *Machine::from_xml(std::string(VICINO_MACHINES) + "/" + GetParam() + ".xml");
  const topo::PlaceList places_ = topo::places_of(machine_, topo::Level::kThread);

  std::vector<int> order() const {
    std::vector<int> place_of(places_.places.size());
    std::iota(place_of.begin(), place_of.end(), 0);
    return place_of;
  }
};
INSTANTIATE_TEST_SUITE_P(Machines, ShapeTest, testing::ValuesIn(machines()),
                         [](const auto& param_info) {
                           std::string name = param_info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(ShapeTest, NumbersThatFollowTheMachineStay) {
  const Shape shape = team::bound_shape(machine_, places_, order());
  ASSERT_TRUE(shape.check());
  EXPECT_EQ(shape.nodes(), static_cast<uint32_t>(machine_.count(topo::Level::kNode)));
  for (uint32_t m = 0; m < shape.members(); ++m) EXPECT_EQ(shape.position(m), m);
}

TEST_P(ShapeTest, NumbersThatDoNotAreSortedByDomain) {
  std::vector<int> place_of = order();
  std::mt19937 random(3);
  std::ranges::shuffle(place_of, random);
  const Shape shape = team::bound_shape(machine_, places_, place_of);
  ASSERT_TRUE(shape.check());
  for (uint32_t p = 0; p < shape.members(); ++p) {
    const CpuSet& here = places_[place_of[shape.member_at(p)]];
    Distance last = Distance::kCacheGroup;
    unsigned far = 0;
    for (const Interval& interval : shape.outward(p)) {
      const CpuSet& there = places_[place_of[shape.member_at(interval.begin)]];
      const unsigned distance = machine_.distance(machine_.node_of(here), machine_.node_of(there));
      EXPECT_GE(distance, far);
      far = distance;
      EXPECT_EQ(interval.distance == Distance::kCacheGroup,
                machine_.cache_group_of(here) == machine_.cache_group_of(there));
      if (last == Distance::kCacheGroup && interval.distance != last) last = interval.distance;
    }
    EXPECT_EQ(shape.node(p).size(), [&] {
      uint32_t n = 0;
      for (const int place : place_of)
        n += machine_.node_of(places_[place]) == machine_.node_of(here);
      return n;
    }());
  }
}

// Teams of one thread up to all threads, on places in the machine's order and shuffled.
TEST_P(ShapeTest, EveryScheduleRunsEachIterationOnce) {
  std::mt19937 random(11);
  const auto most = static_cast<uint32_t>(places_.places.size());
  for (uint32_t members : {1u, 2u, 3u, most / 2, most}) {
    if (members == 0) continue;
    std::vector<int> place_of = order();
    if (members % 2 == 1) std::ranges::shuffle(place_of, random);
    place_of.resize(members);
    const Shape shape = team::bound_shape(machine_, places_, place_of);
    for (const Row& row : registry())
      for (const uint64_t trip : {uint64_t{members}, uint64_t{997}}) {
        SCOPED_TRACE(testing::Message() << row.name << " members " << members << " trip " << trip);
        std::vector<Lane> lanes(members);
        const std::size_t words = row.history_words(members);
        const auto memory = std::make_unique<plat::atomic<uint64_t>[]>(words);
        for (int execution = 0; execution < 3; ++execution) {
          Plan plan;
          plan.trip = trip;
          plan.members = members;
          plan.lanes = lanes;
          plan.values = fallbacks(row.parameters);
          plan.shape = &shape;
          plan.history = {memory.get(), words};
          alignas(kLinePair) std::byte shared[kSharedSize];
          row.start(shared, plan);
          std::vector<Cursor> cursors(members);
          std::vector<uint32_t> busy(members);
          for (uint32_t m = 0; m < members; ++m) {
            busy[m] = cursors[m].member = m;
            row.enter(shared, plan, cursors[m]);
          }
          std::vector<int> runs(trip);
          while (!busy.empty()) {
            const size_t turn = random() % busy.size();
            const Range range = row.next(shared, cursors[busy[turn]]);
            for (uint64_t i = range.begin; i < range.end; ++i) ++runs[i];
            if (range.empty()) busy.erase(busy.begin() + static_cast<long>(turn));
          }
          ASSERT_EQ(runs, std::vector<int>(trip, 1));
        }
      }
  }
}

// A thread that has run dry robs near threads before far ones.
TEST_P(ShapeTest, TheNearestAreRobbedFirst) {
  const Shape shape = team::bound_shape(machine_, places_, order());
  for (const char* name : {"nich", "staggered", "hierarchical"}) {
    SCOPED_TRACE(name);
    const Row& row = *find(name);
    std::vector<Lane> lanes(shape.members());
    Plan plan;
    plan.trip = shape.members() * 64 + 1;
    plan.members = shape.members();
    plan.lanes = lanes;
    plan.values = fallbacks(row.parameters);
    plan.shape = &shape;
    alignas(kLinePair) std::byte shared[kSharedSize];
    row.start(shared, plan);
    Cursor cursor;
    row.enter(shared, plan, cursor);
    Distance last = Distance::kCacheGroup;
    Tally before;
    while (!row.next(shared, cursor).empty()) {
      for (size_t d = 0; d < before.stolen.size(); ++d) {
        if (cursor.tally.stolen[d] == before.stolen[d]) continue;
        EXPECT_GE(static_cast<size_t>(d), static_cast<size_t>(last));
        last = static_cast<Distance>(d);
      }
      before = cursor.tally;
    }
  }
}

// A package holds several cache groups and nodes: a thread that may run on all of it is in none.
TEST(Shape, PlacesWiderThanADomainAreApart) {
  const auto machine = Machine::from_xml(std::string(VICINO_MACHINES) + "/epyc-9354-2x32-nps4.xml");
  ASSERT_TRUE(machine.ok()) << machine.error();
  const topo::PlaceList packages = topo::places_of(*machine, topo::Level::kPackage);
  const std::array place_of = {0, 1, 0};
  const Shape shape = team::bound_shape(*machine, packages, place_of);
  EXPECT_EQ(shape.distance(0, 1), Distance::kMachine);
  EXPECT_EQ(shape.distance(0, 2), Distance::kCacheGroup);
  EXPECT_EQ(shape.nodes(), 2u);
}

// The lists of a shape grow with the square of its groups.
TEST(Shape, ManyMoreThreadsThanCpusHaveNoMoreGroups) {
  const auto machine = Machine::from_xml(std::string(VICINO_MACHINES) + "/epyc-9354-2x32-nps4.xml");
  ASSERT_TRUE(machine.ok()) << machine.error();
  const auto groups = static_cast<uint32_t>(machine->count(topo::Level::kCacheGroup));
  constexpr int kMembers = 40'000;
  const Shape unbound = team::unbound_shape(*machine, kMembers);
  EXPECT_GE(unbound.cache_group(0).size() * groups, uint32_t{kMembers});
  const topo::PlaceList packages = topo::places_of(*machine, topo::Level::kPackage);
  const std::vector<int> place_of(kMembers, 1);
  const Shape bound = team::bound_shape(*machine, packages, place_of);
  EXPECT_GE(bound.cache_group(0).size() * groups, uint32_t{kMembers});
}

TEST(Shape, ThreadsThatAreNotBoundAreInBlocks) {
  const Shape shape = Shape::blocks(10, 4, 8);
  EXPECT_EQ(shape.cache_group(5), (Interval{4, 8, Distance::kUnbound}));
  EXPECT_EQ(shape.node(9), (Interval{8, 10, Distance::kNode}));
  EXPECT_EQ(shape.distance(0, 9), Distance::kUnbound);
}

}  // namespace
}  // namespace vicino::loop
