// How loop/kind_cuts.hpp cuts, and what it learns.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "loop/kind_cuts.hpp"
#include "loop/static_block.hpp"

namespace vicino::loop {
namespace {

constexpr int kNone = KindCuts::kUnknown;

class LoopKindCuts : public testing::Test {
 protected:
  void fix(const std::vector<int8_t>& bound) { cuts_.fix(bound, &LoopKindCuts::kind_here, words_); }
  void knows(int kind, double speed) {
    words_[static_cast<size_t>(kind) * (2 + KindCuts::kWindow)] =
        static_cast<uint64_t>(speed * KindCuts::kFull);
  }
  double speed(int kind) const {
    return static_cast<double>(KindCuts::speed_in(History(words_), kind)) / KindCuts::kFull;
  }
  // A member runs a block of so many iterations, which takes so long in words of a clock of its own.
  void run(uint32_t member, uint64_t iterations, uint64_t ns) {
    const uint64_t began = cuts_.began(member);
    if (began != 0) cuts_.ended(member, iterations, plat::now() - ns);
  }
  std::vector<Range> blocks(uint64_t trip, uint32_t members) const {
    std::vector<Range> all;
    for (uint32_t m = 0; m < members; ++m) all.push_back(cuts_.block(trip, m));
    return all;
  }
  static std::vector<Range> equal(uint64_t trip, uint32_t members) {
    std::vector<Range> all;
    for (uint32_t m = 0; m < members; ++m) all.push_back(static_block(trip, members, m));
    return all;
  }

  static int kind_here() noexcept { return here_; }
  static inline int here_ = 0;

  mutable plat::atomic<uint64_t> words_[KindCuts::kWords]{};
  KindCuts cuts_;
};

TEST_F(LoopKindCuts, BlocksAreEqualUntilSpeedsAreKnown) {
  fix({1, 1, 0, 0});
  for (const uint64_t trip : {0, 1, 5, 4000, 4003}) EXPECT_EQ(blocks(trip, 4), equal(trip, 4));
}

TEST_F(LoopKindCuts, BlocksFollowTheSpeeds) {
  knows(0, 0.5);
  fix({1, 0, 0, 1});
  EXPECT_EQ(blocks(6000, 4),
            (std::vector<Range>{{0, 2000}, {2000, 3000}, {3000, 4000}, {4000, 6000}}));
}

TEST_F(LoopKindCuts, BlocksTileEachLoop) {
  knows(0, 0.37);
  knows(1, 0.71);
  fix({2, 0, 1, 1, 0, 2, kNone});
  for (uint64_t trip = 0; trip < 300; ++trip) {
    uint64_t at = 0;
    for (const Range& block : blocks(trip, 7)) {
      EXPECT_EQ(block.begin, at);
      EXPECT_LE(block.begin, block.end);
      at = block.end;
    }
    EXPECT_EQ(at, trip);
  }
  for (const uint64_t trip : {UINT64_MAX, UINT64_MAX / 2, uint64_t{1} << 63}) {
    EXPECT_EQ(cuts_.block(trip, 6).end, trip);
    for (uint32_t m = 1; m < 7; ++m)
      EXPECT_EQ(cuts_.block(trip, m).begin, cuts_.block(trip, m - 1).end);
    EXPECT_NEAR(static_cast<double>(cuts_.block(trip, 1).size()),
                0.37 * static_cast<double>(cuts_.block(trip, 0).size()), 1e15);
  }
}

// A block that is one iteration longer may take longer than the slow members' equal one.
TEST_F(LoopKindCuts, FewIterationsStayEqual) {
  for (const double slow : {0.3, 0.55, 0.7, 0.9, 0.97}) {
    knows(0, slow);
    fix({1, 1, 1, 1, 0, 0, 0, 0});
    const auto time = [&](const std::vector<Range>& blocks) {
      double longest = 0;
      for (size_t m = 0; m < 8; ++m)
        longest = std::max(longest, static_cast<double>(blocks[m].size()) / (m < 4 ? 1 : slow));
      return longest;
    };
    for (uint64_t trip = 1; trip < 2000; ++trip)
      EXPECT_LE(time(blocks(trip, 8)), time(equal(trip, 8)) + 1e-9) << trip << " at " << slow;
  }
}

TEST_F(LoopKindCuts, ASpeedMovesHalfWayToTheNearestOfItsMeasurements) {
  const auto region = [&](uint64_t slow_ns) {
    fix({1, 1, 0, 0});
    for (const uint32_t m : {0, 1}) run(m, 1000, 1'000'000);
    for (const uint32_t m : {2, 3}) run(m, 1000, slow_ns);
  };
  region(2'000'000);
  fix({1, 1, 0, 0});
  EXPECT_EQ(speed(0), 1) << "one measurement is none";
  region(2'500'000);
  fix({1, 1, 0, 0});
  EXPECT_NEAR(speed(0), 0.75, 0.01);  // 0.5 is nearer than 0.4
  region(1'000'000);                  // on the other side
  fix({1, 1, 0, 0});
  EXPECT_NEAR(speed(0), 0.75, 0.01);
}

// Of three members that are alike, one that is disturbed changes nothing; nor does it get less.
TEST_F(LoopKindCuts, OneDisturbedMemberChangesNothing) {
  for (int region = 0; region < 5; ++region) {
    fix({1, 1, 1, 0, 0, 0});
    for (const uint32_t m : {0, 1, 2, 3, 4, 5}) run(m, 1000, m == 4 ? 90'000'000 : 1'000'000);
  }
  fix({1, 1, 1, 0, 0, 0});
  EXPECT_GT(speed(0), 0.97);
}

TEST_F(LoopKindCuts, ShortBlocksTellNothing) {
  for (int region = 0; region < 5; ++region) {
    fix({1, 0});
    run(0, 1000, 1);
    run(1, 1000, 900'000);
  }
  fix({1, 0});
  EXPECT_EQ(speed(0), 1);
}

TEST_F(LoopKindCuts, OneKindIsNotMeasured) {
  fix({1, 1});
  EXPECT_EQ(cuts_.began(0), 0u);
  fix({1, 0});
  EXPECT_NE(cuts_.began(0), 0u);
}

TEST_F(LoopKindCuts, MembersThatAreNotBoundLookWhereTheyAre) {
  knows(0, 0.5);
  fix({kNone, kNone});
  EXPECT_EQ(blocks(3000, 2), equal(3000, 2));
  for (const uint32_t m : {0, 1}) {
    here_ = m == 0;
    run(m, 1000, 1'000'000);
  }
  EXPECT_EQ(blocks(3000, 2), equal(3000, 2)) << "cuts have changed in a region";
  fix({kNone, kNone});
  EXPECT_EQ(blocks(3000, 2)[0], (Range{0, 2000}));
}

// In each region the members have changed places.
TEST_F(LoopKindCuts, RestlessMembersGetEqualBlocks) {
  knows(0, 0.5);
  const auto region = [&](int first) {
    fix({kNone, kNone});
    for (const uint32_t m : {0, 1}) {
      here_ = m == 0 ? first : 1 - first;
      cuts_.began(m);
    }
  };
  for (int i = 0; i < 8; ++i) region(i % 2);
  fix({kNone, kNone});
  EXPECT_EQ(blocks(3000, 2), equal(3000, 2));
  for (int i = 0; i < 8; ++i) region(1);
  fix({kNone, kNone});
  EXPECT_EQ(blocks(3000, 2)[0], (Range{0, 2000}));
}

TEST_F(LoopKindCuts, WithoutAHistoryBlocksAreEqual) {
  cuts_.fix(std::vector<int8_t>{1, 0}, nullptr, {});
  EXPECT_EQ(blocks(3000, 2), equal(3000, 2));
}

}  // namespace
}  // namespace vicino::loop
