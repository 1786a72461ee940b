#include <gtest/gtest.h>

#include "locality/lockstep.hpp"

namespace vicino::lab {
namespace {

// Three CPUs with turns of 100 cycles.
class LabLockstepTest : public testing::Test {
 protected:
  // Runs one block; returns whether the turn is over.
  bool block(int cpu, std::uint64_t cycles) {
    moved_ = turns_.enter(cpu);
    turns_.advance(cpu, cycles);
    return turns_.turn_over(cpu);
  }

  Lockstep turns_{3, 100};
  std::uint64_t moved_ = 0;
};

TEST_F(LabLockstepTest, ATurnEndsWhenTheQuantumIsUsed) {
  EXPECT_FALSE(block(0, 60));
  EXPECT_FALSE(block(0, 39));
  EXPECT_TRUE(block(0, 1));
  EXPECT_EQ(turns_.now(0), 100u);
  EXPECT_EQ(turns_.time(), 0u);
}

// The round ends when CPU 0 comes again; its time is the least of the clocks 100, 140 and 105.
TEST_F(LabLockstepTest, ARoundsTimeIsTheLeastClockOfTheLastOne) {
  EXPECT_TRUE(block(0, 100));
  EXPECT_TRUE(block(1, 140));
  EXPECT_TRUE(block(2, 105));
  EXPECT_EQ(turns_.time(), 0u);
  EXPECT_FALSE(block(0, 1));
  EXPECT_EQ(moved_, 100u);
  EXPECT_EQ(turns_.time(), 100u);
  EXPECT_EQ(turns_.latest(), 140u);
}

TEST_F(LabLockstepTest, WhatRanOverIsTheNextTurnsDebt) {
  block(0, 100);
  block(1, 190);
  block(2, 100);
  EXPECT_TRUE(block(0, 100));
  EXPECT_TRUE(block(1, 10)) << "200 is the round's 100 and the quantum";
}

TEST_F(LabLockstepTest, ACpuAloneMakesARoundOfEachTurn) {
  EXPECT_TRUE(block(1, 100));
  EXPECT_FALSE(block(1, 30));
  EXPECT_EQ(moved_, 100u);
  EXPECT_FALSE(block(1, 30));
  EXPECT_EQ(moved_, 0u);
  EXPECT_TRUE(block(1, 40));
}

// A turn may end early, because QEMU gives the thread away at PAUSE. The rest of it is idle time.
TEST_F(LabLockstepTest, ATurnCutShortLastsAQuantumAllTheSame) {
  block(0, 40);
  block(1, 100);
  block(0, 1);
  EXPECT_EQ(turns_.time(), 100u);
  EXPECT_EQ(turns_.now(0), 101u);
}

// While all CPUs are halted time goes to a timer; the clocks before it do not bring it back.
TEST_F(LabLockstepTest, TimeStaysWhereItJumped) {
  block(0, 100);
  block(1, 100);
  turns_.jump(5000);
  EXPECT_EQ(turns_.time(), 5000u);
  block(1, 10);
  EXPECT_EQ(turns_.now(1), 5010u);
  turns_.jump(4000);
  EXPECT_EQ(turns_.time(), 5000u);
  block(0, 10);
  EXPECT_EQ(turns_.now(0), 5010u);
}

// CPU 2 runs in round 1 and is halted in rounds 2 and 3; it continues at the time of round 4.
TEST_F(LabLockstepTest, AHaltedCpuGoesOnAtTheRoundsTime) {
  block(0, 100);
  block(2, 100);
  for (int round = 2; round <= 3; ++round) block(0, 100);
  EXPECT_FALSE(block(0, 50));
  EXPECT_EQ(turns_.time(), 300u);
  EXPECT_FALSE(block(2, 10));
  EXPECT_EQ(turns_.now(2), 310u);
}

TEST_F(LabLockstepTest, ACpuThatFirstRunsLateBeginsAtTheRoundsTime) {
  block(0, 100);
  block(0, 100);
  block(1, 5);
  EXPECT_EQ(turns_.now(1), 105u) << "round 2 began at 100";
}

TEST_F(LabLockstepTest, ACpuThatMissedNoRoundKeepsItsClock) {
  block(0, 100);
  block(1, 250);  // ahead
  block(2, 100);
  block(0, 100);
  EXPECT_EQ(turns_.time(), 100u);
  block(1, 5);
  EXPECT_EQ(turns_.now(1), 255u);
}

TEST_F(LabLockstepTest, TimeNeverGoesBack) {
  block(0, 500);
  block(0, 1);
  EXPECT_EQ(turns_.time(), 500u);
  block(1, 10);  // CPU 1 was halted: its clock begins at 500
  block(0, 1);
  EXPECT_EQ(turns_.time(), 600u);  // both gave up the rest of their turns
}

}  // namespace
}  // namespace vicino::lab
