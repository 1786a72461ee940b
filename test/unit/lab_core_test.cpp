// The rules of lab/locality/core.hpp, each with a sequence worked out by hand. A miss takes 100 cycles.
#include <gtest/gtest.h>

#include "lab_machine.hpp"
#include "locality/core.hpp"

namespace vicino::lab {
namespace {

Parameters numbers() {
  Parameters numbers = small_parameters();
  numbers.mlp = 2;
  numbers.mlp_stream = 4;
  numbers.window = 50;
  numbers.lat_atomic = 20;
  return numbers;
}

class LabCoreTest : public testing::Test {
 protected:
  // Runs `insns` instructions at a cycle each, with the stalls that they meet.
  void run(std::uint64_t insns) {
    insns_ += insns;
    now_ += insns;
    now_ += core_.execute(now_, insns_);
  }
  // A load of a line that no stream has, so far apart are they.
  void load(std::uint64_t line, std::uint64_t value = 0) {
    miss({100, true, false, false, line, line * 64, value});
  }
  void miss(const Miss& miss) { now_ += core_.miss(now_, insns_, miss); }

  Core core_{numbers()};
  std::uint64_t now_ = 0, insns_ = 0;
};

TEST_F(LabCoreTest, R10TwoMissesOverlapAndTheThirdWaitsForABuffer) {
  load(1000);
  load(2000);
  EXPECT_EQ(now_, 0u);
  load(3000);
  EXPECT_EQ(now_, 100u);
  load(4000);
  EXPECT_EQ(now_, 100u) << "the second buffer was free by then";
}

TEST_F(LabCoreTest, R10TheWindowEndsBehindALoadWithoutAnAnswer) {
  load(1000);
  run(50);
  EXPECT_EQ(now_, 50u);
  run(1);
  EXPECT_EQ(now_, 100u) << "the answer, not 50 more";
  run(200);
  EXPECT_EQ(now_, 300u);
}

TEST_F(LabCoreTest, R10AStoreIsWaitedForOnlyWithoutABuffer) {
  miss({100, false, false, false, 1000, 64000, 0});
  run(80);
  EXPECT_EQ(now_, 80u);
  miss({100, false, false, false, 2000, 128000, 0});
  miss({100, false, false, false, 3000, 192000, 0});
  EXPECT_EQ(now_, 100u);
}

TEST_F(LabCoreTest, R10WithoutBuffersEachMissIsWaitedFor) {
  Parameters in_order = numbers();
  in_order.mlp = 0;
  Core core(in_order);
  EXPECT_EQ(core.miss(0, 0, {100, true, false, false, 7, 448, 0}), 100u);
  EXPECT_EQ(core.miss(100, 1, {100, false, false, false, 8, 512, 0}), 100u);
}

// Lines 7 and 8 are no stream yet and take the two buffers. From then on four lines are under way.
TEST_F(LabCoreTest, R11AStreamRunsAtItsBuffersInALatency) {
  load(7);
  load(8);
  for (std::uint64_t line = 9; line < 13; ++line) load(line);
  EXPECT_EQ(now_, 0u);
  load(13);
  EXPECT_EQ(now_, 100u);
  for (std::uint64_t line = 14; line < 9 + 4 * 8; ++line) load(line);
  EXPECT_EQ(now_, 700u);
}

TEST_F(LabCoreTest, R11SoDoesOneThatGoesDown) {
  for (std::uint64_t line = 100; line > 94; --line) load(line);
  EXPECT_EQ(now_, 0u);
}

// Two buffers: the third element also waits for the buffer of the first.
TEST_F(LabCoreTest, R12AListIsFollowedAtALatencyForEachElement) {
  load(1000, 2000 * 64 + 8);
  load(2000, 3000 * 64);
  EXPECT_EQ(now_, 0u) << "the core goes on, the second load does not";
  load(3000);
  EXPECT_EQ(now_, 100u);
  run(51);
  EXPECT_EQ(now_, 300u) << "one latency after the other; all are 51 instructions back";
}

TEST_F(LabCoreTest, R12OnlyALoadThatIsNear) {
  load(1000, 2000 * 64 + 65);
  load(2000);
  run(51);
  EXPECT_EQ(now_, 100u);
  run(1);
  EXPECT_EQ(now_, 101u);
}

TEST_F(LabCoreTest, R13WhatOthersWroteIsWaitedFor) {
  miss({100, true, true, false, 1000, 64000, 0});
  EXPECT_EQ(now_, 100u);
}

TEST_F(LabCoreTest, R13ALockedInstructionWaitsForAllThatIsUnderWay) {
  load(1000);
  run(30);
  miss({60, true, false, true, 2000, 128000, 0});
  EXPECT_EQ(now_, 100u + 20u + 60u);
  EXPECT_EQ(core_.locked_hit(now_), 20u);
}

}  // namespace
}  // namespace vicino::lab
