// The members that meet: units tile the team, no two members write one flag, and a barrier along
// the units reaches all members, for odd mixtures of domains and for the teams of every recorded
// machine.
#include <gmock/gmock.h>

#include <algorithm>
#include <bitset>
#include <filesystem>
#include <map>
#include <memory>
#include <random>
#include <set>

#include "sync/barrier.hpp"
#include "sync/layout.hpp"
#include "team/shape.hpp"
#include "topo/binding.hpp"

namespace vicino::sync {
namespace {

using Domains = std::vector<std::vector<int>>;  // by level, by member

// The highest level at which a member has a seat: it leads its unit at all lower levels.
int top_level(const Layout& layout, int i) {
  int level = 0;
  while (level + 1 < layout.levels() && layout.seat(level, i).rank == 0) ++level;
  return level;
}

std::vector<int> participants(const Layout& layout, int members, int level) {
  std::vector<int> who;
  for (int i = 0; i < members; ++i)
    if (top_level(layout, i) >= level) who.push_back(i);
  return who;
}

// Each member that takes part in a level sits in one unit, at the rank that all its peers know.
void expect_units_tile(const Layout& layout, int members, int level) {
  std::map<int, std::vector<int>> units;  // by leader
  const std::vector<int> who = participants(layout, members, level);
  for (const int i : who) {
    const Seat& seat = layout.seat(level, i);
    ASSERT_LT(seat.rank, seat.size());
    EXPECT_EQ(seat.peers[static_cast<size_t>(seat.rank)], i);
    units.try_emplace(seat.leader(), seat.peers.begin(), seat.peers.end());
    EXPECT_TRUE(std::ranges::equal(seat.peers, units.at(seat.leader())));
  }
  std::vector<int> all;
  for (const auto& [leader, peers] : units) {
    EXPECT_TRUE(std::ranges::is_sorted(peers)) << "the unit of " << leader;
    all.insert(all.end(), peers.begin(), peers.end());
  }
  std::ranges::sort(all);
  EXPECT_EQ(all, who) << "level " << level;
}

void expect_groups_are_units(const Layout& layout, int members) {
  std::set<int> seen;
  for (int i = 0; i < members; ++i) {
    seen.insert(layout.group(i));
    EXPECT_EQ(layout.group(i), layout.group(layout.seat(0, i).leader()));
  }
  EXPECT_EQ(static_cast<int>(seen.size()), layout.groups());
  EXPECT_EQ(*seen.rbegin(), layout.groups() - 1);
}

// A barrier as in barrier.hpp, all members in step: which members each has heard of, and which
// member wrote which flag.
class Generation {
 public:
  Generation(const Layout& layout, int members)
      : layout_(layout), members_(members), heard_(static_cast<size_t>(members)) {
    for (size_t i = 0; i < heard_.size(); ++i) heard_[i].set(i);
    for (int level = 0; level < layout.levels(); ++level) disseminate(level);
    for (int level = layout.levels() - 2; level >= 0; --level) release(level);
  }
  bool reaches_all() const {
    return std::ranges::all_of(
        heard_, [this](const auto& who) { return static_cast<int>(who.count()) == members_; });
  }
  bool flags_are_apart() const { return flags_are_apart_; }

 private:
  void disseminate(int level) {
    const std::vector<int> who = participants(layout_, members_, level);
    int round = layout_.first_round(level);
    for (int distance = 1; distance < members_; distance *= 2, ++round) {
      const auto before = heard_;
      for (const int i : who) {
        const Seat& seat = layout_.seat(level, i);
        if (distance >= seat.size()) continue;
        const int to = seat.peers[static_cast<size_t>((seat.rank + distance) % seat.size())];
        heard_[static_cast<size_t>(to)] |= before[static_cast<size_t>(i)];
        flags_are_apart_ &= round < layout_.first_round(level + 1);
        flags_are_apart_ &= written_.emplace(to, round).second;  // I1 of barrier.hpp: one writer
      }
    }
  }
  void release(int level) {
    for (const int i : participants(layout_, members_, level))
      heard_[static_cast<size_t>(i)] = heard_[static_cast<size_t>(layout_.seat(level, i).leader())];
  }

  const Layout& layout_;
  int members_;
  std::vector<std::bitset<1024>> heard_;   // by member
  std::set<std::pair<int, int>> written_;  // (member, round)
  bool flags_are_apart_ = true;
};

// Calls gather() itself. One thread can play all members if those that do not wait come first.
struct Posted {
  explicit Posted(int members) : posts(static_cast<size_t>(members)) {}
  BarrierFlags& flags(int i) { return posts[static_cast<size_t>(i)]; }
  std::vector<BarrierFlags> posts;
};

void expect_gathers(const Layout& layout, int members) {
  Posted team(members);
  Patience patience;
  constexpr PatienceLimits kLimits = PatienceLimits::fixed(0);
  std::vector<int> order;
  for (int level = 0; level < layout.levels(); ++level)
    for (int i = 1; i < members; ++i)
      if (top_level(layout, i) == level) order.push_back(i);
  order.push_back(0);
  std::multiset<int> arrived;
  for (const int i : order)
    gather(team, layout, i, 1, {patience, kLimits}, [&](int who) { arrived.insert(who); });
  EXPECT_EQ(static_cast<int>(arrived.size()), members - 1);
  EXPECT_EQ(std::set<int>(arrived.begin(), arrived.end()).size(), arrived.size());
}

void expect_good(const Layout& layout, int members) {
  ASSERT_GE(layout.levels(), 1);
  ASSERT_LE(layout.levels(), Layout::kMaxLevels);
  EXPECT_LE(layout.first_round(layout.levels()), Layout::kMaxRounds);
  for (int level = 0; level < layout.levels(); ++level) expect_units_tile(layout, members, level);
  EXPECT_EQ(participants(layout, members, layout.levels() - 1).size(),
            layout.seat(layout.levels() - 1, 0).peers.size());
  expect_groups_are_units(layout, members);
  const Generation generation(layout, members);
  ASSERT_TRUE(generation.reaches_all());  // otherwise gathering never ends
  EXPECT_TRUE(generation.flags_are_apart());
  expect_gathers(layout, members);
}

std::vector<int> unit_of(const Layout& layout, int level, int i) {
  const auto peers = layout.seat(level, i).peers;
  return {peers.begin(), peers.end()};
}

TEST(Layout, OfOneMember) {
  const Layout layout(1, {});
  expect_good(layout, 1);
  EXPECT_EQ(layout.levels(), 1);
  EXPECT_EQ(layout.first_round(1), 0);
}

TEST(Layout, LeavesOutLevelsThatJoinAllOrNone) {
  const Domains one{{7, 7, 7, 7}, {0, 1, 2, 3}};
  EXPECT_EQ(Layout(4, one).levels(), 1);
  const Domains twice_the_same{{0, 0, 1, 1}, {4, 4, 9, 9}};  // each leader has its own
  const Layout layout(4, twice_the_same);
  EXPECT_EQ(layout.levels(), 2);
  expect_good(layout, 4);
}

TEST(Layout, JoinsADomainWhereverItsMembersStand) {
  const Domains alternating{{5, 3, 5, 3, 5, 3}};
  const Layout layout(6, alternating);
  expect_good(layout, 6);
  EXPECT_EQ(unit_of(layout, 0, 0), (std::vector{0, 2, 4}));
  EXPECT_EQ(unit_of(layout, 0, 5), (std::vector{1, 3, 5}));
  EXPECT_EQ(unit_of(layout, 1, 0), (std::vector{0, 1}));
}

TEST(Layout, BlocksOfAnySize) {
  for (const int members : {1, 2, 3, 7, 8, 9, 64, 272})
    for (const int block : {-1, 0, 1, 2, 3, 4, 63, 64, 1000}) {
      SCOPED_TRACE(testing::Message() << members << " in blocks of " << block);
      const Layout layout = Layout::blocks(members, block);
      expect_good(layout, members);
      const bool parts = block > 1 && block < members;
      EXPECT_EQ(layout.levels(), parts ? 2 : 1);
      EXPECT_EQ(layout.groups(), parts ? (members + block - 1) / block : 1);
    }
}

TEST(Layout, TheLargestTeam) {
  constexpr int kMembers = 1 << 14;
  const Layout one(kMembers, {});
  EXPECT_EQ(one.levels(), 1);
  EXPECT_EQ(one.first_round(1), 14);
}

// One large unit and many small ones: the rounds of the large one and of the many leaders add up.
TEST(Layout, TooUnevenDomainsAreIgnored) {
  constexpr int kMembers = 1024;
  for (const int large : {64, 511, 900, 1000}) {
    SCOPED_TRACE(large);
    Domains domains{std::vector<int>(kMembers)};
    for (int i = large; i < kMembers; ++i) domains[0][static_cast<size_t>(i)] = i;
    const Layout layout(kMembers, domains);
    EXPECT_EQ(layout.levels(), large == 64 || large == 1000 ? 2 : 1);
    expect_good(layout, kMembers);
  }
}

TEST(Layout, AnyMixtureOfDomains) {
  std::minstd_rand random(20240607);
  for (int trial = 0; trial < 300; ++trial) {
    const int members = 1 + static_cast<int>(random() % 90);
    Domains domains(random() % Layout::kMaxLevels);
    for (auto& domain : domains) {
      const int kinds = 1 + static_cast<int>(random() % 12);
      const int skew = 1 + static_cast<int>(random() % 4);  // some domains far larger than others
      for (int i = 0; i < members; ++i) {
        int kind = static_cast<int>(random() % static_cast<unsigned>(kinds));
        for (int s = 1; s < skew; ++s) kind = kind * kind / kinds;
        domain.push_back(kind - 1);  // -1 is a number like any other
      }
    }
    SCOPED_TRACE(testing::Message() << "trial " << trial);
    expect_good(Layout(members, domains), members);
  }
}

using topo::Level;
using topo::Machine;
using topo::PlaceList;

std::vector<std::string> machine_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(VICINO_MACHINES))
    if (entry.path().extension() == ".xml") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

class TeamOn : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    auto read = Machine::from_xml(std::string(VICINO_MACHINES) + "/" + GetParam() + ".xml");
    ASSERT_TRUE(read.ok()) << read.error();
    machine_ = std::make_unique<Machine>(*std::move(read));
  }
  static std::vector<int> placed(topo::Bind bind, const PlaceList& places, int members) {
    std::vector<int> place_of;
    for (const auto& thread : topo::assign_places(bind, {0, places.size()}, 0, members))
      place_of.push_back(thread.place);
    return place_of;
  }
  const Machine& machine() const { return *machine_; }

 private:
  std::unique_ptr<Machine> machine_;
};

// Level 0 joins exactly the members of one cache group, and some level joins the groups of one
// package, wherever the machine has several of these domains and they reduce the number of units.
TEST_P(TeamOn, BoundFollowsCacheGroupsAndPackages) {
  const PlaceList places = topo::places_of(machine(), Level::kThread);
  const int members = machine().default_team_size();
  for (const auto bind : {topo::Bind::kClose, topo::Bind::kSpread}) {
    const std::vector<int> place_of = placed(bind, places, members);
    const Layout layout = team::bound_layout(machine(), places, place_of);
    expect_good(layout, members);
    const auto domains_of = [&](Level level, int i) {
      return machine().domain_of(level, places[place_of[static_cast<size_t>(i)]]);
    };
    int at = 0;
    int units = members;  // the units that the levels so far have left
    for (const Level level : {Level::kCacheGroup, Level::kPackage}) {
      const int count = machine().count(level);
      if (count == 1 || count >= units) continue;
      for (const int i : participants(layout, members, at))
        for (const int peer : participants(layout, members, at))
          ASSERT_EQ(layout.seat(at, i).leader() == layout.seat(at, peer).leader(),
                    domains_of(level, i) == domains_of(level, peer))
              << topo::level_name(level) << ": " << i << " and " << peer;
      ++at;
      units = count;
    }
    EXPECT_EQ(layout.levels(), at + 1);
  }
}

// Without binding the tree has the same shape: each unit is as large as a cache group or a package.
TEST_P(TeamOn, UnboundHasBlocksOfTheirSizes) {
  const int members = machine().default_team_size();
  const Layout layout = team::unbound_layout(machine(), members);
  expect_good(layout, members);
  std::vector<int> sizes;  // a unit of all members belongs to the last level
  for (const Level level : {Level::kCacheGroup, Level::kPackage}) {
    const int threads = team::threads_per(machine(), level);
    if (threads < members && (sizes.empty() || threads > sizes[0])) sizes.push_back(threads);
  }
  ASSERT_EQ(layout.levels(), static_cast<int>(sizes.size()) + 1);
  for (int level = 0, below = 1; level + 1 < layout.levels(); ++level) {
    const int threads = sizes[static_cast<size_t>(level)];
    EXPECT_EQ(layout.seat(level, 0).size(), (threads + below - 1) / below);
    below = threads;
  }
}

// Each CPU has several members, and its units are as many times larger: no level is added.
TEST_P(TeamOn, UnboundTeamsOfMoreMembersHaveAsManyLevels) {
  const int threads = static_cast<int>(machine().pus().size());
  const int levels = team::unbound_layout(machine(), threads).levels();
  for (const int times : {2, 3, 4})
    EXPECT_EQ(team::unbound_layout(machine(), times * threads).levels(), levels) << times;
}

TEST_P(TeamOn, OfAnySizeMeets) {
  const PlaceList threads = topo::places_of(machine(), Level::kThread);
  const PlaceList nodes = topo::places_of(machine(), Level::kNode);
  for (int members = 1; members <= 2 * machine().default_team_size(); members += 1 + members / 3) {
    SCOPED_TRACE(members);
    expect_good(team::unbound_layout(machine(), members), members);
    for (const PlaceList* places : {&threads, &nodes})
      expect_good(
          team::bound_layout(machine(), *places, placed(topo::Bind::kSpread, *places, members)),
          members);
  }
}

INSTANTIATE_TEST_SUITE_P(All, TeamOn, testing::ValuesIn(machine_names()), [](const auto& machine) {
  std::string name = machine.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

}  // namespace
}  // namespace vicino::sync
