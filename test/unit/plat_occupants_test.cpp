#include <memory>

#include "gtest/gtest.h"
#include "plat/native/occupants.hpp"

namespace vicino::plat {
namespace {

class OccupantsTest : public testing::Test {
 protected:
  const std::unique_ptr<Occupants> its_ = std::make_unique<Occupants>();
  Occupants& occupants_ = *its_;
  Occupancy a_, b_;
};

TEST_F(OccupantsTest, TwoThreadsOnOneCpuSeeEachOther) {
  occupants_.enter(a_, 3);
  EXPECT_FALSE(occupants_.is_shared(a_));
  occupants_.enter(b_, 3);
  EXPECT_TRUE(occupants_.is_shared(b_));
  EXPECT_FALSE(occupants_.is_shared(a_));  // it has not looked since
  occupants_.enter(a_, 3);
  EXPECT_TRUE(occupants_.is_shared(a_));
}

TEST_F(OccupantsTest, AThreadThatEntersAnotherCpuOrSleepsIsGone) {
  for (const bool sleeps : {false, true}) {
    occupants_.enter(b_, 3);
    occupants_.enter(a_, 3);
    ASSERT_TRUE(occupants_.is_shared(a_));
    if (sleeps)
      occupants_.leave(b_);
    else
      occupants_.enter(b_, 4);
    EXPECT_FALSE(occupants_.is_shared(a_));
    EXPECT_FALSE(occupants_.is_shared(b_));
    EXPECT_EQ(occupants_.is_free(4), sleeps);
    EXPECT_FALSE(occupants_.is_free(3));
    occupants_.leave(a_);
    EXPECT_TRUE(occupants_.is_free(3));
  }
}

TEST_F(OccupantsTest, WhoWasMetIsMetNoMoreOnAnotherCpu) {
  occupants_.enter(b_, 3);
  occupants_.enter(a_, 3);
  occupants_.enter(a_, 4);
  EXPECT_FALSE(occupants_.is_shared(a_));
  occupants_.enter(b_, 4);
  occupants_.enter(b_, 3);
  occupants_.enter(a_, 4);  // B was here meanwhile
  EXPECT_FALSE(occupants_.is_shared(a_));
}

TEST_F(OccupantsTest, WhoSleepsForgetsWhoWasBeside) {
  occupants_.enter(b_, 3);  // and stays
  occupants_.enter(a_, 3);
  ASSERT_TRUE(occupants_.is_shared(a_));
  occupants_.leave(a_);
  occupants_.enter(a_, 3);
  EXPECT_FALSE(occupants_.is_shared(a_));
}

TEST_F(OccupantsTest, InAChildNobodyIsLeft) {
  occupants_.enter(b_, 3);
  occupants_.take_turns(b_, 1'000);
  occupants_.enter(a_, 3);
  occupants_.forget();
  EXPECT_TRUE(occupants_.is_free(3));
  EXPECT_EQ(occupants_.turns(8, 1'001), 0);
  occupants_.enter(a_, 3);
  EXPECT_FALSE(occupants_.is_shared(a_));
}

TEST_F(OccupantsTest, TurnsAreCountedByCpuForAMillisecond) {
  occupants_.take_turns(a_, 1'000);  // it is nowhere yet
  EXPECT_EQ(occupants_.turns(8, 1'001), 0);
  occupants_.enter(a_, 3);
  occupants_.enter(b_, 5);
  occupants_.take_turns(a_, 1'000);
  occupants_.take_turns(a_, 1'000);
  EXPECT_EQ(occupants_.turns(8, 2'000), 1);
  occupants_.take_turns(b_, 1'000);
  EXPECT_EQ(occupants_.turns(8, 1'000'999), 2);
  EXPECT_EQ(occupants_.turns(4, 2'000), 1);  // of the first four CPUs
  EXPECT_EQ(occupants_.turns(8, 1'001'000), 0);
}

TEST_F(OccupantsTest, CpusBeyondTheTableAreNobodys) {
  occupants_.enter(a_, -1);
  occupants_.enter(a_, Occupants::kCpus);
  EXPECT_FALSE(occupants_.is_shared(a_));
  occupants_.leave(a_);
  EXPECT_EQ(occupants_.turns(2'000'000, 1), 0);
}

}  // namespace
}  // namespace vicino::plat
