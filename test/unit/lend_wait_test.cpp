// lend/wait.hpp: how long a thread polls before it lends, and how long it sleeps between two looks.
#include <gtest/gtest.h>

#include "lend/job.hpp"
#include "lend/wait.hpp"

namespace vicino::lend {
namespace {

constexpr uint64_t kMs = 1'000'000;

TEST(LendWait, APlaceThatWaitsLongLendsSoon) {
  Expected expected;
  EXPECT_EQ(expected.poll_ns(), Expected::kLongNs);  // nothing is known yet
  for (int i = 0; i < 8; ++i) expected.add(3 * kMs);
  EXPECT_EQ(expected.poll_ns(), Expected::kSoonNs);
  for (int i = 0; i < 16; ++i) expected.add(kMs / 10);
  EXPECT_EQ(expected.poll_ns(), Expected::kLongNs);
}

TEST(LendWait, OneLongWaitAmongShortOnesIsForgotten) {
  Expected expected;
  for (int i = 0; i < 8; ++i) expected.add(kMs / 20);
  expected.add(1000 * kMs);
  expected.add(kMs / 20);
  EXPECT_EQ(expected.poll_ns(), Expected::kLongNs);
}

TEST(LendWait, PausesGrowWithTheWaitAndAreBounded) {
  EXPECT_EQ(pause_of(0), 50'000);
  EXPECT_EQ(root(0) + root(15) + root(16), 0 + 3 + 4);
  EXPECT_EQ(root(UINT64_MAX), UINT32_MAX);
  uint64_t last = 0;
  for (uint64_t ns = 1; ns < 1000 * kMs; ns *= 2) {
    EXPECT_GE(pause_of(ns), last);
    last = pause_of(ns);
  }
  EXPECT_EQ(last, kMs);
  EXPECT_NEAR(static_cast<double>(pause_of(10 * kMs)), 547'000, 1000);  // sqrt(2 * 15 us * 10 ms)
}

TEST(LendJob, AJobIsKnownByItsTextOrItsStarter) {
  EXPECT_EQ(identity_of({}), "");
  EXPECT_EQ(identity_of({"", "no process has this name"}), "");
  EXPECT_NE(identity_of({"a", ""}), identity_of({"b", ""}));
  EXPECT_EQ(identity_of({"a", ""}), identity_of({"a", ""}));
}

}  // namespace
}  // namespace vicino::lend
