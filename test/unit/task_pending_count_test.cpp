// task/pending_count.hpp with one thread that plays all parts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task/pending_count.hpp"

namespace vicino::task {
namespace {

using Left = PendingCount::Left;

TEST(TaskPendingCount, CountsBothSides) {
  PendingCount pending;
  pending.add_here();
  pending.add_here();
  pending.add_away();
  EXPECT_EQ(pending.live(), 3u);
  EXPECT_EQ(pending.remove_away(), Left::kSome);
  EXPECT_EQ(pending.remove_here(), Left::kSome);
  EXPECT_EQ(pending.live(), 1u);
  EXPECT_EQ(pending.remove_away(), Left::kSome);
  EXPECT_EQ(pending.live(), 0u);
  EXPECT_TRUE(pending.alone());
}

TEST(TaskPendingCount, TheLastWakesWhoHasSettled) {
  PendingCount pending;
  pending.add_here();
  pending.add_here();
  pending.settle();
  EXPECT_EQ(pending.live(), 2u);
  EXPECT_EQ(pending.remove_away(), Left::kSome);
  EXPECT_EQ(pending.remove_here(), Left::kWake);  // the owner itself, which needs no notification
  pending.unsettle();
  pending.add_here();
  pending.settle();
  EXPECT_EQ(pending.remove_away(), Left::kWake);
  pending.unsettle();
  EXPECT_TRUE(pending.alone());
}

TEST(TaskPendingCount, TheLastOfAnEndedTaskFreesIt) {
  PendingCount pending;
  pending.add_here();
  pending.add_here();
  EXPECT_FALSE(pending.end());
  EXPECT_EQ(pending.remove_away(), Left::kSome);
  EXPECT_EQ(pending.remove_away(), Left::kFree);
}

TEST(TaskPendingCount, WhoHoldsTheRecordKeepsIt) {
  PendingCount pending;
  pending.hold();
  EXPECT_FALSE(pending.alone());
  EXPECT_FALSE(pending.end());
  EXPECT_TRUE(pending.drop());
}

class TaskPendingCountInvariants : public testing::Test {
  void SetUp() override {
#ifndef VICINO_CHECKED
    GTEST_SKIP() << "not a checked build";
#endif
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

TEST_F(TaskPendingCountInvariants, NobodyGoesOnBeforeItsFamilyIsDone) {
  PendingCount pending;
  pending.add_here();
  pending.settle();
  EXPECT_DEATH(pending.unsettle(), "invariant I1 broken at .*pending_count.hpp");
}

TEST_F(TaskPendingCountInvariants, NobodyEndsWhileItWaits) {
  PendingCount pending;
  pending.settle();
  EXPECT_DEATH(pending.end(), "invariant I2 broken at .*pending_count.hpp");
}

}  // namespace
}  // namespace vicino::task
