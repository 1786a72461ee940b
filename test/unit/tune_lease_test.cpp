#include <gtest/gtest.h>

#include "tune/lease.hpp"

namespace vicino::tune {
namespace {

TEST(TuneLease, OneExecutionAtATimeHasIt) {
  Lease lease;
  for (int i = 0; i < 3; ++i) {
    const Lease::Token first = lease.take();
    EXPECT_TRUE(lease.is_held_by(first));
    EXPECT_EQ(lease.take(), Lease::kNone);
    EXPECT_FALSE(lease.is_held_by(Lease::kNone));
    lease.give_back(Lease::kNone);
    EXPECT_TRUE(lease.is_held_by(first));
    lease.give_back(first);
    EXPECT_FALSE(lease.is_held_by(first));
  }
}

TEST(TuneLease, OneThatIsNeverGivenBackIsLost) {
  Lease lease;
  const Lease::Token lost = lease.take();
  for (uint32_t i = 0; i < Lease::kMostRefused; ++i) EXPECT_EQ(lease.take(), Lease::kNone);
  const Lease::Token next = lease.take();
  EXPECT_TRUE(lease.is_held_by(next));
  // The former holder comes after all.
  EXPECT_FALSE(lease.is_held_by(lost));
  lease.give_back(lost);
  EXPECT_TRUE(lease.is_held_by(next));
  EXPECT_EQ(lease.take(), Lease::kNone);
  lease.give_back(next);
  EXPECT_NE(lease.take(), Lease::kNone);
}

// A few refusals of each of many holders do not add up.
TEST(TuneLease, EachHolderHasItAsLong) {
  Lease lease;
  for (uint32_t i = 0; i < 10; ++i) {
    const Lease::Token token = lease.take();
    for (uint32_t k = 0; k < Lease::kMostRefused; ++k) EXPECT_EQ(lease.take(), Lease::kNone);
    EXPECT_TRUE(lease.is_held_by(token));
    lease.give_back(token);
  }
}

}  // namespace
}  // namespace vicino::tune
