// Where weighted.hpp cuts, given times that the test writes into its history.
#include <gtest/gtest.h>

#include <vector>

#include "loop/weighted.hpp"

namespace vicino::loop {
namespace {

constexpr uint64_t kTrip = 10;

class LoopWeighted : public testing::Test {
 protected:
  // One execution by two members; returns the end of the first member's block. Both have run then,
  // and `first` and `second` become their times; a member without a block has measured its own.
  uint64_t run(uint64_t first, uint64_t second) {
    Plan plan;
    plan.trip = kTrip;
    plan.members = 2;
    plan.chunk = chunk_;
    plan.lanes = lanes_;
    plan.history = words_;
    Weighted loop;
    loop.start(plan);
    uint64_t end = 0, given = 0;
    for (uint32_t m = 0; m < 2; ++m) {
      Cursor cursor;
      cursor.member = m;
      enter(loop, plan, cursor);
      const Range block = loop.next(cursor);
      given += block.end - block.begin;
      if (m == 0) end = block.end;
      if (!block.empty()) {
        EXPECT_TRUE(loop.next(cursor).empty());
      }
    }
    EXPECT_EQ(given, kTrip);
    if (end > 0) words_[2].store(first);
    if (end < kTrip) words_[4].store(second);
    return end;
  }

  uint64_t chunk_ = 0;
  std::vector<Lane> lanes_ = std::vector<Lane>(2);
  plat::atomic<uint64_t> words_[Weighted::history_words(2)]{};
};

TEST_F(LoopWeighted, GoesHalfWayToWhereBothWouldTakeAsLong) {
  EXPECT_EQ(run(900, 100), 5u);
  // Half of 1000 is 5/9 of the first block of five iterations: 2; half of the way from 5 is 3.
  EXPECT_EQ(run(900, 100), 3u);
}

TEST_F(LoopWeighted, EqualTimesStay) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(run(500, 500), 5u);
}

TEST_F(LoopWeighted, AMemberThatHasNothingLeftComesBackByAndBy) {
  uint64_t end = kTrip;
  for (int i = 0; i < 20 && end > 0; ++i) end = run(1'000'000'000, 1);
  EXPECT_EQ(end, 0u);
  // Half of the second block, which is the whole loop, is 5; half of the way from 0 to 5 is 3.
  EXPECT_EQ(run(1, 1), 3u);
}

// Half of 600 is 2/5 of the second block: 6 is right, and half of the way is no end of a chunk.
TEST_F(LoopWeighted, GoesAChunkWhereHalfWayIsLess) {
  chunk_ = 2;
  EXPECT_EQ(run(100, 500), 4u);
  EXPECT_EQ(run(300, 200), 6u);
  // 250 is 5/6 of six iterations: 5, which is as near to 4 as to 6.
  EXPECT_EQ(run(1, 1), 4u);
}

TEST_F(LoopWeighted, StaysAtTheNearestEndOfAChunk) {
  chunk_ = 4;
  EXPECT_EQ(run(200, 300), 4u);  // 5 would be right
  EXPECT_EQ(run(200, 300), 4u);
}

TEST_F(LoopWeighted, WithoutATimeBlocksAreEqual) {
  run(900, 100);
  run(900, 100);
  words_[2].store(0);
  EXPECT_EQ(run(900, 100), 5u);
}

}  // namespace
}  // namespace vicino::loop
