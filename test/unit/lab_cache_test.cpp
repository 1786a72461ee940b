#include <gtest/gtest.h>

#include "locality/cache.hpp"

namespace vicino::lab {
namespace {

constexpr State kS = State::kShared, kE = State::kExclusive, kM = State::kModified,
                kNone = State::kInvalid;

// Four sets of two ways: lines 0, 4, 8, … share a set.
class LabCacheTest : public testing::Test {
 protected:
  Cache cache_{4, 2};
};

TEST_F(LabCacheTest, HoldsWhatWasInserted) {
  EXPECT_EQ(cache_.state(5), kNone);
  EXPECT_EQ(cache_.insert(5, kE).state, kNone);
  EXPECT_EQ(cache_.state(5), kE);
  EXPECT_EQ(cache_.use(5), kE);
  EXPECT_EQ(cache_.state(1), kNone) << "the same set, another line";
}

// The word of line 0 with no state is the word of an empty way.
TEST_F(LabCacheTest, LineZeroIsALineLikeAnyOther) {
  EXPECT_EQ(cache_.state(0), kNone);
  cache_.insert(0, kS);
  EXPECT_EQ(cache_.state(0), kS);
  EXPECT_EQ(cache_.erase(0), kS);
  EXPECT_EQ(cache_.state(0), kNone);
}

TEST_F(LabCacheTest, AnEmptyWayIsNotLineZero) {
  cache_.insert(4, kS);
  EXPECT_EQ(cache_.use(0), kNone);
  EXPECT_EQ(cache_.insert(8, kS).state, kNone) << "the empty way is behind the lines";
}

TEST_F(LabCacheTest, AFullSetLosesItsLeastRecentlyUsedLine) {
  cache_.insert(0, kS);
  cache_.insert(4, kM);
  cache_.use(0);
  const Cache::Victim victim = cache_.insert(8, kS);
  EXPECT_EQ(victim.line, 4u);
  EXPECT_EQ(victim.state, kM);
  EXPECT_EQ(cache_.state(0), kS);
  EXPECT_EQ(cache_.state(4), kNone);
}

TEST_F(LabCacheTest, LookingIsNotUsing) {
  cache_.insert(0, kS);
  cache_.insert(4, kS);
  cache_.state(0);
  cache_.set_state(0, kM);
  EXPECT_EQ(cache_.insert(8, kS).line, 0u);
}

TEST_F(LabCacheTest, OtherSetsAreLeftAlone) {
  for (std::uint64_t line : {0, 4, 1, 5, 2, 6}) EXPECT_EQ(cache_.insert(line, kS).state, kNone);
  EXPECT_EQ(cache_.insert(9, kS).line, 1u);
  for (std::uint64_t line : {0, 4, 5, 9, 2, 6}) EXPECT_EQ(cache_.state(line), kS) << line;
}

TEST_F(LabCacheTest, AnErasedLineLeavesRoom) {
  cache_.insert(0, kS);
  cache_.insert(4, kS);
  EXPECT_EQ(cache_.erase(4), kS);
  EXPECT_EQ(cache_.erase(4), kNone);
  EXPECT_EQ(cache_.insert(8, kS).state, kNone) << "the empty way is taken first";
  EXPECT_EQ(cache_.state(0), kS);
}

TEST_F(LabCacheTest, OneWayReplacesAtOnce) {
  Cache direct(2, 1);
  direct.insert(3, kM);
  EXPECT_EQ(direct.insert(5, kS).line, 3u);
  EXPECT_EQ(direct.use(5), kS);
}

}  // namespace
}  // namespace vicino::lab
