// Every schedule of the registry: each iteration once, whole chunks, and the last iteration last.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

#include "loop/registry.hpp"
#include "loop/schedulers.hpp"

namespace vicino::loop {
namespace {

struct Given {
  uint32_t member;
  Range range;
};

// The words that a call site keeps.
using Words = std::vector<plat::atomic<uint64_t>>;

// One loop whose members take turns at random: a sample of the interleavings of whole calls.
class Team {
 public:
  Team(const Row& row, uint64_t trip, uint64_t chunk, uint32_t members,
       const Shape* shape = nullptr, History history = {})
      : Team(row, fallbacks(row.parameters), trip, chunk, members, shape, history) {}
  Team(const Row& row, const Values& values, uint64_t trip, uint64_t chunk, uint32_t members,
       const Shape* shape = nullptr, History history = {})
      : row_(row), lanes_(members), cursors_(members) {
    Plan plan{trip, chunk, members, lanes_};
    plan.values = values;
    plan.shape = shape;
    plan.history = history;
    row_.start(shared_, plan);
    for (uint32_t m = 0; m < members; ++m) {
      cursors_[m].member = m;
      row_.enter(shared_, plan, cursors_[m]);
    }
  }

  // Returns at most `most` ranges, in the order in which they were given out.
  std::vector<Given> run(std::mt19937& random, size_t most = SIZE_MAX) {
    std::vector<Given> given;
    std::vector<uint32_t> busy(cursors_.size());
    for (uint32_t m = 0; m < busy.size(); ++m) busy[m] = m;
    while (!busy.empty() && given.size() < most) {
      const size_t turn = random() % busy.size();
      const uint32_t m = busy[turn];
      const Range range = row_.next(shared_, cursors_[m]);
      if (range.empty())
        busy.erase(busy.begin() + static_cast<long>(turn));
      else
        given.push_back({m, range});
    }
    return given;
  }

 private:
  const Row& row_;
  alignas(kLinePair) std::byte shared_[kSharedSize];
  std::vector<Lane> lanes_;
  std::vector<Cursor> cursors_;
};

class ScheduleTest : public testing::TestWithParam<const Row*> {
 protected:
  const Row& row() const { return *GetParam(); }
  std::mt19937 random_{12345};
};

std::vector<const Row*> rows() {
  std::vector<const Row*> all;
  for (const Row& row : registry()) all.push_back(&row);
  return all;
}
INSTANTIATE_TEST_SUITE_P(Registry, ScheduleTest, testing::ValuesIn(rows()),
                         [](const auto& param_info) {
                           return std::string(param_info.param->name);
                         });

// Ranges tile [0, trip).
void expect_each_once(std::vector<Given> given, uint64_t trip) {
  std::sort(given.begin(), given.end(),
            [](const Given& a, const Given& b) { return a.range.begin < b.range.begin; });
  uint64_t at = 0;
  for (const Given& g : given) {
    ASSERT_EQ(g.range.begin, at);
    ASSERT_GT(g.range.end, g.range.begin);
    at = g.range.end;
  }
  ASSERT_EQ(at, trip);
}

// The member that gets the last iteration gets nothing after it.
void expect_last_is_last(const std::vector<Given>& given, uint64_t trip) {
  const auto last =
      std::find_if(given.begin(), given.end(), [=](const Given& g) { return g.range.end == trip; });
  if (last == given.end()) return;
  for (auto later = last + 1; later != given.end(); ++later) ASSERT_NE(later->member, last->member);
}

void expect_order(const std::vector<Given>& given, uint32_t members) {
  std::vector<uint64_t> at(members, 0);
  for (const Given& g : given) {
    ASSERT_GE(g.range.begin, at[g.member]);
    at[g.member] = g.range.end;
  }
}

TEST_P(ScheduleTest, EachIterationOnceForSmallTripCounts) {
  for (uint64_t trip = 0; trip <= 200; ++trip)
    for (uint32_t members : {1, 2, 3, 4, 7, 16, 64})
      for (uint64_t chunk : {0, 1, 2, 5, 63, 1000}) {
        SCOPED_TRACE(testing::Message()
                     << "trip " << trip << " members " << members << " chunk " << chunk);
        Team team(row(), trip, chunk, members);
        const auto given = team.run(random_);
        ASSERT_NO_FATAL_FAILURE(expect_each_once(given, trip));
        ASSERT_NO_FATAL_FAILURE(expect_last_is_last(given, trip));
        if (row().ordered) {
          ASSERT_NO_FATAL_FAILURE(expect_order(given, members));
        }
      }
}

TEST_P(ScheduleTest, EachIterationOnceForLargeTeams) {
  for (uint32_t members : {100, 271, 272})
    for (uint64_t trip : {0, 1, 99, 272, 273, 5000}) {
      Team team(row(), trip, 0, members);
      const auto given = team.run(random_);
      ASSERT_NO_FATAL_FAILURE(expect_each_once(given, trip));
      ASSERT_NO_FATAL_FAILURE(expect_last_is_last(given, trip));
    }
}

// Chunks as large as trip counts near 2^64 allow: their sums and products exceed 2^64.
TEST_P(ScheduleTest, EachIterationOnceForHugeTripCounts) {
  for (uint64_t trip : {uint64_t{1} << 63, (uint64_t{1} << 63) - 1, UINT64_MAX, UINT64_MAX - 1})
    for (uint32_t members : {1, 2, 3, 64})
      for (uint64_t parts : {1, 2, 3, 1000}) {
        const uint64_t chunk = trip / parts + (parts > 1);
        SCOPED_TRACE(testing::Message()
                     << "trip " << trip << " members " << members << " chunk " << chunk);
        Team team(row(), trip, chunk, members);
        const auto given = team.run(random_);
        ASSERT_NO_FATAL_FAILURE(expect_each_once(given, trip));
        ASSERT_NO_FATAL_FAILURE(expect_last_is_last(given, trip));
      }
}

// With chunks of one, no test reaches the end of a huge loop. The loop's beginning must be right
// for the schedules to which choose() of loop/registry.cpp gives such loops.
TEST_P(ScheduleTest, HugeTripCountsBeginWithoutOverlap) {
  for (uint64_t trip : {uint64_t{1} << 32, uint64_t{1} << 63, UINT64_MAX}) {
    Plan plan{trip, 1, 4, {}};
    if (row().name == Dynamic::kName && Dynamic::chunks(plan) > Dynamic::kMaxChunks) continue;
    Team team(row(), trip, 1, 4);
    auto given = team.run(random_, 500);
    std::sort(given.begin(), given.end(),
              [](const Given& a, const Given& b) { return a.range.begin < b.range.begin; });
    for (size_t i = 1; i < given.size(); ++i)
      ASSERT_LE(given[i - 1].range.end, given[i].range.begin);
  }
}

// Fixed chunks have the user's size and begin at multiples of it, except at the loop's end.
TEST(Schedules, ChunksAreOfTheUsersSize) {
  std::mt19937 random(7);
  for (const char* name : {"static_chunked", "dynamic", "dynamic_shared"})
    for (uint64_t chunk : {1, 3, 10}) {
      Team team(*find(name), 1234, chunk, 5);
      for (const Given& g : team.run(random)) {
        EXPECT_EQ(g.range.begin % chunk, 0u) << name;
        EXPECT_TRUE(g.range.size() == chunk || g.range.end == 1234) << name;
      }
    }
}

TEST(Schedules, StaticBlocksDifferByOneAtMostAndKeepTheirPlaces) {
  for (uint64_t trip : {0, 1, 10, 1000, 1001, 1007})
    for (uint32_t members : {1, 3, 8}) {
      uint64_t at = 0;
      for (uint32_t m = 0; m < members; ++m) {
        const Range block = static_block(trip, members, m);
        EXPECT_EQ(block.begin, at);
        EXPECT_GE(block.size() + 1, trip / members + (trip % members != 0));
        EXPECT_LE(block.size(), trip / members + (trip % members != 0));
        at = block.end;
      }
      EXPECT_EQ(at, trip);
    }
}

TEST(Schedules, StaticChunksGoRoundRobin) {
  std::mt19937 random(7);
  Team team(*find("static_chunked"), 100, 7, 3);
  for (const Given& g : team.run(random)) EXPECT_EQ(g.member, g.range.begin / 7 % 3);
}

TEST(Schedules, GuidedAndTrapezoidShrink) {
  std::mt19937 random(7);
  for (const char* name : {"guided", "trapezoid"}) {
    Team team(*find(name), 100'000, 10, 4);
    auto given = team.run(random);
    // A member may run a chunk of a batch after others have run later ones.
    std::ranges::sort(given, {}, [](const Given& g) { return g.range.begin; });
    EXPECT_EQ(given[0].range.size(), 100'000u / 8) << name;
    for (size_t i = 1; i < given.size(); ++i) {
      EXPECT_LE(given[i].range.size(), given[i - 1].range.size()) << name;
      EXPECT_TRUE(given[i].range.size() >= 10u || i + 1 == given.size()) << name;
    }
    EXPECT_GT(given.size(), 8u) << name;
  }
}

// A member that comes late gets help: the first member to run dry takes half of its share.
TEST(Schedules, DynamicStealsFromWhoeverHasLeft) {
  std::mt19937 random(7);
  Team team(*find("dynamic"), 1000, 1, 2);
  std::vector<Given> given = team.run(random);
  // Members took turns at random, so both ran about half; now one alone must get everything.
  EXPECT_EQ(given.size(), 1000u);
  const Row& row = *find("dynamic");
  std::vector<Lane> lanes(2);
  alignas(kLinePair) std::byte shared[kSharedSize];
  const Plan plan{1000, 1, 2, lanes};
  row.start(shared, plan);
  Cursor cursor;
  cursor.member = 1;
  row.enter(shared, plan, cursor);
  uint64_t got = 0;
  while (!row.next(shared, cursor).empty()) ++got;
  EXPECT_EQ(got, 1000u);
}

// What is wrong with these schedules is found where they are compiled.
struct KeepsTooMuch : StaticBlock {
  struct Local {
    std::byte state[Cursor::kLocalSize + 1];
  };
  Local enter(const Plan&, uint32_t) noexcept;
};
struct KeepsWhatCannotBeCopied : StaticBlock {
  using Local = std::vector<uint64_t>;
  Local enter(const Plan&, uint32_t) noexcept;
};
struct NamesOneOfTwo : StaticBlock {
  struct Set {
    double first;
  };
  static constexpr std::array kParameters = {Parameter{"first", "", 0, 0, 1},
                                             Parameter{"second", "", 0, 0, 1}};
};
static_assert(LoopScheduler<StaticBlock>);
static_assert(!LoopScheduler<KeepsTooMuch>);
static_assert(!LoopScheduler<KeepsWhatCannotBeCopied>);
static_assert(!LoopScheduler<NamesOneOfTwo>);

TEST(Registry, NamesAreFoundAndKindsChosen) {
  for (const Row& row : registry()) EXPECT_EQ(find(row.name), &row);
  EXPECT_EQ(find("no such"), nullptr);
  const Plan small{100, 0, 4, {}}, chunked{100, 5, 4, {}}, huge{UINT64_MAX, 1, 4, {}};
  EXPECT_EQ(choose(ScheduleKind::kStatic, small, false).name, "static");
  EXPECT_EQ(choose(ScheduleKind::kStatic, chunked, false).name, "static_chunked");
  EXPECT_EQ(choose(ScheduleKind::kAuto, small, false).name, "static");
  EXPECT_EQ(choose(ScheduleKind::kDynamic, chunked, false).name, "dynamic");
  EXPECT_EQ(choose(ScheduleKind::kDynamic, chunked, true).name, "dynamic_shared");
  EXPECT_EQ(choose(ScheduleKind::kDynamic, huge, false).name, "dynamic_shared");
  EXPECT_EQ(choose(ScheduleKind::kGuided, small, true).name, "guided");
  EXPECT_EQ(choose(ScheduleKind::kTrapezoid, small, true).name, "trapezoid");
  for (bool in_order : {false, true})
    for (auto kind : {ScheduleKind::kStatic, ScheduleKind::kDynamic, ScheduleKind::kGuided,
                      ScheduleKind::kAuto, ScheduleKind::kTrapezoid})
      EXPECT_TRUE(choose(kind, chunked, in_order).ordered || !in_order);
}

}  // namespace
}  // namespace vicino::loop
