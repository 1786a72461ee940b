// tune/sampling.hpp: how rarely a sampled site is timed. test/model/sampling_model_test.cpp tests
// that members agree.
#include <gtest/gtest.h>

#include "tune/sampling.hpp"

namespace vicino::tune {
namespace {

constexpr uint64_t kTeam = 7, kBegin = 1000;

uint64_t timed(const Sampling& quiet, uint64_t from, uint64_t to) {
  uint64_t count = 0;
  for (uint64_t generation = from; generation < to; ++generation)
    count += quiet.times(kTeam, generation);
  return count;
}

TEST(QuietRarity, BeginsWithEachAndEndsWithOneOf256) {
  Sampling quiet;
  EXPECT_EQ(timed(quiet, 1, kBegin), kBegin - 1);
  quiet.change(kTeam, kBegin, true, false);
  constexpr uint64_t kEach = Sampling::kEach;
  EXPECT_EQ(timed(quiet, kBegin + 1, kBegin + kEach), kEach - 1);
  for (int rarity = 1; rarity <= Sampling::kRarest; ++rarity) {
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
    Sampling quiet;
    quiet.change(kTeam, kBegin, true, false);
    quiet.change(kTeam, kLook, false, false);
    EXPECT_EQ(timed(quiet, kLook + 1, kLook + 100), 99u);
    quiet.change(kTeam, kLook + 99, true, again);
    const uint64_t after = timed(quiet, kLook + 100, kLook + 100 + Sampling::kEach - 1);
    if (again)
      EXPECT_LT(after, 20u);
    else
      EXPECT_EQ(after, Sampling::kEach - 1);
  }
}

// Also with the greatest numbers.
TEST(QuietRarity, OthersAreTimedEachTime) {
  Sampling quiet;
  quiet.change(Sampling::kMostTeams, 1, true, false);
  quiet.change(Sampling::kMostTeams, Sampling::kLastGeneration - 1, false, false);
  quiet.change(Sampling::kMostTeams, Sampling::kLastGeneration, true, true);
  EXPECT_EQ(timed(quiet, Sampling::kLastGeneration, Sampling::kLastGeneration + 1000), 1000u);
  uint64_t own = 0;
  for (uint64_t generation = 1; generation <= 1 << 16; ++generation)
    own += quiet.times(Sampling::kMostTeams, Sampling::kLastGeneration + generation);
  EXPECT_LT(own, 1u << 9);
}

}  // namespace
}  // namespace vicino::tune
