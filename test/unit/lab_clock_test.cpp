#include <gtest/gtest.h>

#include "locality/clock.hpp"

namespace vicino::lab {
namespace {

// 16 ns for a cycle at first, then 2500 MHz: 400 ps.
Clock clock_at_boot() { return Clock(16, 2500); }

TEST(LabClock, ACycleLastsLongAtBootAndAsTheFrequencySaysFromThenOn) {
  Clock clock = clock_at_boot();
  EXPECT_EQ(clock.read_ps(10), 160'000u);
  clock.begin_model(20);
  EXPECT_EQ(clock.read_ps(20), 320'000u);
  EXPECT_EQ(clock.read_ps(25), 322'000u);
}

TEST(LabClock, ACpuBehindReadsWhatAnotherOneHasRead) {
  Clock clock = clock_at_boot();
  EXPECT_EQ(clock.read_ps(100), 1'600'000u);
  EXPECT_EQ(clock.read_ps(40), 1'600'000u);
  EXPECT_EQ(clock.read_ps(101), 1'616'000u);
}

TEST(LabClock, AClockFromBeforeTheModelIsNotBeforeItsBeginning) {
  Clock clock = clock_at_boot();
  clock.begin_model(20);
  EXPECT_EQ(clock.read_ps(3), 320'000u);
}

TEST(LabClock, TicksAndNanosecondsKeepOneRatio) {
  Clock clock = clock_at_boot();
  for (int phase = 0; phase < 2; ++phase) {
    const std::uint64_t ps = clock.read_ps(1'000'000 * (phase + 1));
    EXPECT_EQ(clock.ticks(ps) * 1000, Clock::nanoseconds(ps) * 2500);
    clock.begin_model(1'000'000);
  }
}

// A jump must not end before the timer that it is for, or it would be made again and again.
TEST(LabClock, TheCycleOfATimeIsNotBeforeIt) {
  for (const bool model : {false, true}) {
    Clock clock = Clock(16, 3000);
    if (model) clock.begin_model(7);
    for (std::uint64_t ps : {0ull, 1'000ull, 112'000ull, 112'001ull, 333'333ull, 7'000'000ull}) {
      const std::uint64_t cycles = clock.cycles_at(ps);
      EXPECT_GE(Clock(clock).read_ps(cycles), ps);
      if (ps > 112'000 && cycles > 1) {
        EXPECT_LE(Clock(clock).read_ps(cycles - 2), ps);
      }
    }
  }
}

}  // namespace
}  // namespace vicino::lab
