// task/family.hpp, by one thread that plays all parts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task/family.hpp"

namespace vicino::task {
namespace {

using Left = Family::Left;

TEST(TaskFamily, CountsBothSides) {
  Family family;
  family.add_here();
  family.add_here();
  family.add_away();
  EXPECT_EQ(family.live(), 3u);
  EXPECT_EQ(family.remove_away(), Left::kSome);
  EXPECT_EQ(family.remove_here(), Left::kSome);
  EXPECT_EQ(family.live(), 1u);
  EXPECT_EQ(family.remove_away(), Left::kSome);
  EXPECT_EQ(family.live(), 0u);
  EXPECT_TRUE(family.alone());
}

TEST(TaskFamily, TheLastWakesWhoHasSettled) {
  Family family;
  family.add_here();
  family.add_here();
  family.settle();
  EXPECT_EQ(family.live(), 2u);
  EXPECT_EQ(family.remove_away(), Left::kSome);
  EXPECT_EQ(family.remove_here(), Left::kWake);  // the owner himself, who need not be told
  family.unsettle();
  family.add_here();
  family.settle();
  EXPECT_EQ(family.remove_away(), Left::kWake);
  family.unsettle();
  EXPECT_TRUE(family.alone());
}

TEST(TaskFamily, TheLastOfAnEndedTaskFreesIt) {
  Family family;
  family.add_here();
  family.add_here();
  EXPECT_FALSE(family.end());
  EXPECT_EQ(family.remove_away(), Left::kSome);
  EXPECT_EQ(family.remove_away(), Left::kFree);
}

TEST(TaskFamily, WhoHoldsTheRecordKeepsIt) {
  Family family;
  family.hold();
  EXPECT_FALSE(family.alone());
  EXPECT_FALSE(family.end());
  EXPECT_TRUE(family.drop());
}

class TaskFamilyInvariants : public testing::Test {
  void SetUp() override {
#ifndef VICINO_CHECKED
    GTEST_SKIP() << "not a checked build";
#endif
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

TEST_F(TaskFamilyInvariants, NobodyGoesOnBeforeItsFamilyIsDone) {
  Family family;
  family.add_here();
  family.settle();
  EXPECT_DEATH(family.unsettle(), "invariant I1 broken at .*family.hpp");
}

TEST_F(TaskFamilyInvariants, NobodyEndsWhileItWaits) {
  Family family;
  family.settle();
  EXPECT_DEATH(family.end(), "invariant I2 broken at .*family.hpp");
}

}  // namespace
}  // namespace vicino::task
