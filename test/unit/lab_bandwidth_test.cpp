// The rule of lab/locality/bandwidth.hpp, by hand: 1000 MHz and 8000 MB/s make 8 cycles of a line.
#include <gtest/gtest.h>

#include "lab_machine.hpp"
#include "locality/bandwidth.hpp"

namespace vicino::lab {
namespace {

Parameters numbers() {
  Parameters numbers = small_parameters();
  numbers.bw_mc = 8000;
  numbers.bw_window = 1000;
  return numbers;
}

// Users that each would have a line every `alone` cycles wait for memory: a line that takes f times as
// long is asked for f times less often. Returns lines in a thousand cycles, when that has settled.
double lines(Bandwidth& bandwidth, int users, double alone, int home = 0) {
  double total = 0;
  for (int window = 0; window < 60; ++window) {
    total = 0;
    for (int user = 0; user < users; ++user)
      for (double at = 0; at < 1000; ++total) at += alone * bandwidth.memory(user, home);
    bandwidth.drain(1000);
  }
  return total;
}

// ((n b1)^-4 + B^-4)^(-1/4)
double expected(double asked, double capacity) {
  return std::pow(std::pow(asked, -4) + std::pow(capacity, -4), -0.25);
}

TEST(LabBandwidth, SharesFollowTheSoftKnee) {
  for (int users : {1, 2, 4, 8}) {
    Bandwidth bandwidth(small_machine(), numbers());
    EXPECT_NEAR(lines(bandwidth, users, 20), expected(users * 50, 125), 0.03 * 125 + users)
        << users;
  }
}

TEST(LabBandwidth, EachUserPastSaturationCosts) {
  Parameters lossy = numbers();
  lossy.bw_loss = 500;  // 5 %: far above what is measured, to be seen
  Bandwidth bandwidth(small_machine(), lossy);
  // Eight users of 50 are 3.2 times the capacity: 5.5 of them are too many.
  EXPECT_NEAR(lines(bandwidth, 8, 20), 125 * (1 - 0.05 * 5.5), 8);
}

// Eight users ask for 40 lines each at once, as after a barrier, and wait until they have them: nothing is asked for
// meanwhile, and time goes on in one step.
TEST(LabBandwidth, BurstsDoNotMakeEachOtherLarger) {
  Bandwidth bandwidth(small_machine(), numbers());
  double factor = 1;
  for (int burst = 0; burst < 50; ++burst) {
    double most = 0;
    for (int i = 0; i < 320; ++i) most = std::max(most, bandwidth.memory(i % 8, 0));
    bandwidth.drain(1000);
    bandwidth.drain(static_cast<uint64_t>(1000 * most));
    factor = most;
  }
  EXPECT_LT(factor, 40);
}

// Lines come from one node at the speed of its memory, and those that make room for them go to another, whose load
// slows nobody down: 400 lines of 8 cycles in 1000.
TEST(LabBandwidth, WriteBacksThatNobodyWaitsForDoNotMakeEachOtherDearer) {
  Bandwidth bandwidth(small_machine(), numbers());
  for (int window = 0; window < 60; ++window) {
    for (int i = 0; i < 400; ++i) {
      if (i % 8 == 0) bandwidth.memory(0, 0);
      bandwidth.write_back(0, 1);
    }
    bandwidth.drain(1000);
  }
  EXPECT_NEAR(bandwidth.memory(7, 1), 3.2, 0.4);
}

TEST(LabBandwidth, ControllersAreApart) {
  Bandwidth bandwidth(small_machine(), numbers());
  lines(bandwidth, 8, 20, 1);
  EXPECT_DOUBLE_EQ(bandwidth.memory(0, 0), 1);
  EXPECT_GT(bandwidth.memory(0, 1), 2);
}

TEST(LabBandwidth, ALinkIsTheSameFromBothEndsAndNoneInsideAPackage) {
  Parameters linked = small_parameters();
  linked.bw_link = 8000;
  linked.bw_window = 1000;
  Bandwidth bandwidth(small_machine(), linked);
  for (int line = 0; line < 500; ++line) bandwidth.transfer(0, 1);
  bandwidth.drain(1000);
  EXPECT_GT(bandwidth.transfer(7, 0), 2);
  EXPECT_GT(bandwidth.memory(7, 0), 2);
  EXPECT_DOUBLE_EQ(bandwidth.transfer(7, 1), 1);
  EXPECT_DOUBLE_EQ(bandwidth.memory(7, 3), 1);
}

TEST(LabBandwidth, NoLimitIsNoDelay) {
  Bandwidth bandwidth(small_machine(), small_parameters());
  lines(bandwidth, 8, 1);
  EXPECT_DOUBLE_EQ(bandwidth.memory(0, 0), 1);
}

}  // namespace
}  // namespace vicino::lab
