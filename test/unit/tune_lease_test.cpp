#include <gtest/gtest.h>

#include "tune/lease.hpp"

namespace vicino::tune {
namespace {

Lease::Token take(Lease& lease) {
  return lease.take([] { return true; });
}

TEST(TuneLease, OneExecutionAtATimeHasIt) {
  Lease lease;
  for (int i = 0; i < 3; ++i) {
    const Lease::Token first = take(lease);
    EXPECT_TRUE(lease.is_held_by(first));
    EXPECT_EQ(take(lease), Lease::kNone);
    EXPECT_FALSE(lease.is_held_by(Lease::kNone));
    lease.give_back(Lease::kNone);
    EXPECT_TRUE(lease.is_held_by(first));
    lease.give_back(first);
    EXPECT_FALSE(lease.is_held_by(first));
  }
}

TEST(TuneLease, ItsHolderLearnsOnce) {
  Lease lease;
  int learnt = 0;
  const auto learn = [&] { ++learnt; };
  const Lease::Token token = take(lease);
  EXPECT_FALSE(lease.end(Lease::kNone, learn));
  EXPECT_TRUE(lease.end(token, learn));
  EXPECT_FALSE(lease.end(token, learn));
  EXPECT_EQ(learnt, 1);
  EXPECT_NE(take(lease), Lease::kNone);
}

TEST(TuneLease, AnExecutionThatDoesNotWantItLeavesItToTheNext) {
  Lease lease;
  EXPECT_EQ(lease.take([] { return false; }), Lease::kNone);
  EXPECT_NE(take(lease), Lease::kNone);
}

// An execution that ends meanwhile learns nothing, and the next one may begin.
TEST(TuneLease, OneThreadAtATimeIsInside) {
  Lease lease;
  const Lease::Token token = take(lease);
  const auto fail = [] { ADD_FAILURE(); };
  EXPECT_TRUE(lease.visit([&] {
    EXPECT_FALSE(lease.visit(fail));
    EXPECT_EQ(take(lease), Lease::kNone);
    EXPECT_TRUE(lease.is_held_by(token));
    EXPECT_FALSE(lease.end(token, fail));
    EXPECT_FALSE(lease.is_held_by(token));
  }));
  EXPECT_NE(take(lease), Lease::kNone);
}

TEST(TuneLease, OneThatIsNeverGivenBackIsLost) {
  Lease lease;
  const Lease::Token lost = take(lease);
  for (uint32_t i = 0; i < Lease::kMostRefused; ++i) EXPECT_EQ(take(lease), Lease::kNone);
  const Lease::Token next = take(lease);
  EXPECT_TRUE(lease.is_held_by(next));
  // The former holder comes after all.
  EXPECT_FALSE(lease.is_held_by(lost));
  EXPECT_FALSE(lease.end(lost, [] { ADD_FAILURE(); }));
  lease.give_back(lost);
  EXPECT_TRUE(lease.is_held_by(next));
  EXPECT_EQ(take(lease), Lease::kNone);
  lease.give_back(next);
  EXPECT_NE(take(lease), Lease::kNone);
}

// A few refusals of each of many holders do not add up.
TEST(TuneLease, EachHolderHasItAsLong) {
  Lease lease;
  for (uint32_t i = 0; i < 10; ++i) {
    const Lease::Token token = take(lease);
    for (uint32_t k = 0; k < Lease::kMostRefused; ++k) EXPECT_EQ(take(lease), Lease::kNone);
    EXPECT_TRUE(lease.is_held_by(token));
    lease.give_back(token);
  }
}

}  // namespace
}  // namespace vicino::tune
