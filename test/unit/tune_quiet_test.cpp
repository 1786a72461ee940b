// tune/quiet.hpp: how rarely a site that is quiet is timed. That members agree is for
// test/model/quiet_model_test.cpp.
#include <gtest/gtest.h>

#include "tune/quiet.hpp"

namespace vicino::tune {
namespace {

constexpr uint64_t kTeam = 7, kBegin = 1000;

uint64_t timed(const Quiet& quiet, uint64_t from, uint64_t to) {
  uint64_t count = 0;
  for (uint64_t meeting = from; meeting < to; ++meeting) count += quiet.times(kTeam, meeting);
  return count;
}

TEST(QuietRarity, BeginsWithEachAndEndsWithOneOf256) {
  Quiet quiet;
  EXPECT_EQ(timed(quiet, 1, kBegin), kBegin - 1);
  quiet.change(kTeam, kBegin, true, false);
  constexpr uint64_t kEach = Quiet::kEach;
  EXPECT_EQ(timed(quiet, kBegin + 1, kBegin + kEach), kEach - 1);
  for (int rarity = 1; rarity <= Quiet::kRarest; ++rarity) {
    const uint64_t from = kBegin + (kEach << (rarity - 1)), to = kBegin + (kEach << rarity);
    const auto expected = static_cast<double>((to - from) >> rarity);
    EXPECT_NEAR(static_cast<double>(timed(quiet, from, to)), expected, 0.1 * expected) << rarity;
  }
  const uint64_t late = kBegin + (uint64_t{1} << 30);
  EXPECT_NEAR(static_cast<double>(timed(quiet, late, late + (1 << 20))), 1 << 12, 1 << 8);
}

TEST(QuietRarity, GoesOnAfterALook) {
  constexpr uint64_t kLook = kBegin + 5000;
  for (const bool again : {false, true}) {
    Quiet quiet;
    quiet.change(kTeam, kBegin, true, false);
    quiet.change(kTeam, kLook, false, false);
    EXPECT_EQ(timed(quiet, kLook + 1, kLook + 100), 99u);
    quiet.change(kTeam, kLook + 99, true, again);
    const uint64_t after = timed(quiet, kLook + 100, kLook + 100 + Quiet::kEach - 1);
    if (again)
      EXPECT_LT(after, 20u);
    else
      EXPECT_EQ(after, Quiet::kEach - 1);
  }
}

// Of the greatest numbers, too.
TEST(QuietRarity, OthersAreTimedEachTime) {
  Quiet quiet;
  quiet.change(Quiet::kMostTeams, 1, true, false);
  quiet.change(Quiet::kMostTeams, Quiet::kLastMeeting - 1, false, false);
  quiet.change(Quiet::kMostTeams, Quiet::kLastMeeting, true, true);
  EXPECT_EQ(timed(quiet, Quiet::kLastMeeting, Quiet::kLastMeeting + 1000), 1000u);
  uint64_t own = 0;
  for (uint64_t meeting = 1; meeting <= 1 << 16; ++meeting)
    own += quiet.times(Quiet::kMostTeams, Quiet::kLastMeeting + meeting);
  EXPECT_LT(own, 1u << 9);
}

}  // namespace
}  // namespace vicino::tune
