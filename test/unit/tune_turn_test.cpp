// Which site tries something, and what a choice costs the rest of the program.
#include <gtest/gtest.h>

#include "tune/outside.hpp"
#include "tune/turn.hpp"

namespace vicino::tune {
namespace {

const int one = 1, other = 2;

TEST(TuneTurn, OneSiteHasIt) {
  Turn turn;
  EXPECT_TRUE(turn.take(&one));
  EXPECT_TRUE(turn.take(&one));
  EXPECT_FALSE(turn.take(&other));
  EXPECT_TRUE(turn.is_of(&one));
  turn.pass(&other);
  EXPECT_TRUE(turn.is_of(&one));
  turn.pass(&one);
  EXPECT_TRUE(turn.take(&other));
  EXPECT_FALSE(turn.is_of(&one));
}

TEST(TuneTurn, ASiteThatIsExecutedNoMoreLosesIt) {
  Turn turn;
  turn.take(&one);
  for (uint32_t i = 0; i < Turn::kMostRefused; ++i) EXPECT_FALSE(turn.take(&other));
  EXPECT_TRUE(turn.take(&other));
  EXPECT_FALSE(turn.take(&one));
}

TEST(TuneTurn, ASiteThatIsExecutedKeepsIt) {
  Turn turn;
  for (uint32_t i = 0; i < 10 * Turn::kMostRefused; ++i) {
    EXPECT_TRUE(turn.take(&one));
    EXPECT_FALSE(turn.take(&other));
  }
}

constexpr Choice kSome{1, 8}, kAnother{2, 8};

TEST(TuneOutside, CountsWhatStandsOutOfTheDefaultsTimes) {
  Outside outside;
  outside.learn_default(100);
  outside.learn_default(110);
  EXPECT_EQ(outside.excess(kSome, 1000), 0);  // it knows too little
  EXPECT_EQ(outside.excess(kAnother, 1000), 0);
  outside.learn_default(105);
  EXPECT_EQ(outside.excess(kSome, 90), 0);
  EXPECT_EQ(outside.excess(kAnother, 150), std::nullopt);
  EXPECT_EQ(outside.excess(kAnother, 160), 30);
  EXPECT_EQ(outside.excess({1, 4}, 120), 0);
}

TEST(TuneOutside, OneSampleThatStandsOutSaysNothing) {
  Outside outside;
  for (const double ns : {100.0, 110.0, 105.0}) outside.learn_default(ns);
  EXPECT_EQ(outside.excess(kSome, 1e6), std::nullopt);
  EXPECT_EQ(outside.excess(kSome, 100), 0);
  EXPECT_EQ(outside.excess(kSome, 1e6), 0);
  EXPECT_EQ(outside.excess(kAnother, 100), 0);
  EXPECT_EQ(outside.excess(kAnother, 1e6), 0);
}

TEST(TuneOutside, WhatItSaidNothingOfIsToldOnceLater) {
  Outside outside;
  for (const double ns : {100.0, 110.0, 105.0}) outside.learn_default(ns);
  outside.excess(kSome, 150);
  EXPECT_EQ(outside.excess(kSome, 160), 30);
  EXPECT_EQ(outside.take_held_back(kSome), 30);
  EXPECT_EQ(outside.take_held_back(kSome), 0);
  outside.excess(kAnother, 100);
  EXPECT_EQ(outside.take_held_back(kAnother), 0);
}

TEST(TuneOutside, CountsNothingWhereTheDefaultVariesAsMuch) {
  Outside outside;
  for (const double ns : {100.0, 1000.0, 300.0}) outside.learn_default(ns);
  EXPECT_EQ(outside.excess(kSome, 900), 0);
}

}  // namespace
}  // namespace vicino::tune
