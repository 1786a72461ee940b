// A program's times before and after a move.
#include <gmock/gmock.h>

#include "pages/times.hpp"

namespace vicino::pages {
namespace {

const int kNames[3] = {};

void note(Times& times, int name, std::initializer_list<uint64_t> all) {
  for (const uint64_t ns : all) times.note(&kNames[name], ns);
}

TEST(Times, CompareEachNameWithItself) {
  Times times;
  note(times, 0, {900, 100, 100});
  note(times, 1, {900, 300, 300});
  times.begin_after();
  note(times, 0, {50, 50, 50});
  note(times, 1, {300, 300, 300});
  const Times::Gain gain = times.gain();
  EXPECT_EQ(gain.samples_before, 3);
  EXPECT_EQ(gain.samples, 3);
  EXPECT_NEAR(gain.share, 50.0 / 400, 1e-9);
  EXPECT_EQ(gain.before_ns, 400u);
  EXPECT_EQ(gain.after_ns, 350u);
  EXPECT_EQ(gain.variance, 0);
}

TEST(Times, ANameCountsAsOftenAsItRunsAfter) {
  Times times;
  note(times, 0, {100, 100});
  note(times, 1, {100, 100});
  times.begin_after();
  note(times, 0, {50, 50, 50});
  note(times, 1, {200});
  EXPECT_NEAR(times.gain().share, (3 * 50 - 100) / 400.0, 1e-9);
}

TEST(Times, OneOutlierIsNoGain) {
  Times times;
  note(times, 0, {100, 100, 100, 100, 5000, 100, 100, 100, 100});
  times.begin_after();
  note(times, 0, {100, 100, 100, 100, 100, 7000, 100, 100, 100});
  EXPECT_EQ(times.gain().share, 0);
}

// With fewer times it cannot be told from a loss, but it shows as noise.
TEST(Times, OneOutlierOfFewIsNoise) {
  Times times;
  note(times, 0, {100, 100, 100});
  times.begin_after();
  note(times, 0, {100, 100, 7000, 100});
  const Times::Gain gain = times.gain();
  EXPECT_LT(gain.share * gain.share, 4 * gain.variance);
}

// A function that is called for two arrays, of which one gains.
TEST(Times, OfTwoArraysAreTheirMean) {
  Times times;
  for (int i = 0; i < 8; ++i) note(times, 0, {100, 400});
  times.begin_after();
  for (int i = 0; i < 8; ++i) note(times, 0, {100, 200});
  EXPECT_NEAR(times.gain().share, 0.4, 0.05);
}

TEST(Times, SayNothingIfMostIsUnknown) {
  Times times;
  note(times, 0, {10, 10});
  note(times, 1, {1000, 1000});
  times.begin_after();
  note(times, 0, {5});
  EXPECT_EQ(times.gain().samples, 0);
  note(times, 1, {1000});
  EXPECT_EQ(times.gain().samples, 1);
  note(times, 2, {1});  // new since the move
  EXPECT_EQ(times.gain().samples, 1);
}

}  // namespace
}  // namespace vicino::pages
