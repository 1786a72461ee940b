// How many tasks a taskloop has, and that the tasks cover its iterations.
#include <gtest/gtest.h>

#include <limits>

#include "task/split.hpp"

namespace vicino::task {
namespace {

// Checks that ranges tile [0, trip) in order, none of them empty; returns the lengths of the
// shortest and of the longest.
struct Lengths {
  uint64_t least = UINT64_MAX, most = 0;
};
Lengths check_tiles(const Split& split) {
  Lengths lengths;
  uint64_t at = 0;
  for (uint64_t i = 0; i < split.tasks(); ++i) {
    const loop::Range range = split.range(i);
    EXPECT_EQ(range.begin, at) << "task " << i;
    EXPECT_GT(range.end, range.begin) << "task " << i;
    lengths.least = std::min(lengths.least, range.size());
    lengths.most = std::max(lengths.most, range.size());
    at = range.end;
  }
  EXPECT_EQ(at, split.trip());
  return lengths;
}

constexpr uint64_t kMost = 256;

TEST(Split, GrainsizeGivesAtLeastThatAndLessThanTwice) {
  for (uint64_t trip = 1; trip <= kMost; ++trip)
    for (uint64_t grain = 1; grain <= kMost; ++grain) {
      SCOPED_TRACE(testing::Message() << "trip " << trip << ", grain " << grain);
      const auto [least, most] = check_tiles({trip, {Grain::kGrainsize, grain}});
      ASSERT_GE(least, std::min(grain, trip));
      ASSERT_LT(most, 2 * grain);
    }
}

TEST(Split, StrictGrainsizeIsExactButForTheLast) {
  for (uint64_t trip = 1; trip <= kMost; ++trip)
    for (uint64_t grain = 1; grain <= kMost; ++grain) {
      SCOPED_TRACE(testing::Message() << "trip " << trip << ", grain " << grain);
      const Split split(trip, {Grain::kGrainsize, grain, true});
      check_tiles(split);
      for (uint64_t i = 0; i + 1 < split.tasks(); ++i) ASSERT_EQ(split.range(i).size(), grain);
    }
}

TEST(Split, NumTasksIsExactAndEven) {
  for (bool strict : {false, true})
    for (uint64_t trip = 1; trip <= kMost; ++trip)
      for (uint64_t tasks = 1; tasks <= kMost; ++tasks) {
        SCOPED_TRACE(testing::Message() << "trip " << trip << ", tasks " << tasks);
        const Split split(trip, {Grain::kNumTasks, tasks, strict});
        ASSERT_EQ(split.tasks(), std::min(tasks, trip));
        const auto [least, most] = check_tiles(split);
        ASSERT_LE(most - least, 1u);
      }
}

TEST(Split, NoIterationsNoTasks) {
  for (Grain grain : {Grain::kNone, Grain::kGrainsize, Grain::kNumTasks})
    for (bool strict : {false, true}) EXPECT_EQ(Split(0, {grain, 5, strict}).tasks(), 0u);
}

// An amount of 0 is undefined, but it must not cause a division by 0.
TEST(Split, AmountOfZeroIsOne) {
  EXPECT_EQ(Split(7, {Grain::kGrainsize, 0}).tasks(), 7u);
  EXPECT_EQ(Split(7, {Grain::kGrainsize, 0, true}).tasks(), 7u);
  EXPECT_EQ(Split(7, {Grain::kNumTasks, 0}).tasks(), 1u);
}

TEST(Split, HugeRanges) {
  constexpr uint64_t kAll = UINT64_MAX;
  for (bool strict : {false, true}) {
    const Split by_tasks(kAll, {Grain::kNumTasks, 3, strict});
    EXPECT_EQ(check_tiles(by_tasks).most, kAll / 3);
    const Split by_grain(kAll, {Grain::kGrainsize, kAll - 1, strict});
    check_tiles(by_grain);
    EXPECT_EQ(by_grain.tasks(), strict ? 2u : 1u);
  }
  EXPECT_EQ(Split(kAll, {Grain::kGrainsize, 1}).range(kAll - 1).end, kAll);
  EXPECT_EQ(Split(kAll, {Grain::kGrainsize, 2, true}).range(kAll / 2).size(), 1u);
}

// The number of a loop's iterations, counted by running the loop in more bits than its type has.
template <class T>
uint64_t runs(int lower, int upper, int step) {
  uint64_t n = 0;
  for (int i = lower; step > 0 ? i <= upper : i >= upper; i += step) ++n;
  return n;
}

// Checks all loops that run, except the one over all values.
template <class T>
void check_all_trips() {
  using U = std::make_unsigned_t<T>;
  using S = std::make_signed_t<T>;
  constexpr int kLow = std::numeric_limits<T>::min(), kHigh = std::numeric_limits<T>::max();
  for (int lower = kLow; lower <= kHigh; ++lower)
    for (int upper = kLow; upper <= kHigh; ++upper)
      for (int step = std::numeric_limits<S>::min(); step <= std::numeric_limits<S>::max();
           ++step) {
        if (step == 0 || (step > 0 ? upper < lower : upper > lower)) continue;
        const uint64_t wanted = runs<T>(lower, upper, step);
        if (wanted == kMost) continue;
        const auto got =
            trip_to(static_cast<U>(lower), static_cast<U>(upper), static_cast<S>(step));
        ASSERT_EQ(got, wanted) << lower << " to " << upper << " by " << step;
      }
}
TEST(TripTo, AllLoopsOf8BitsSigned) { check_all_trips<int8_t>(); }
TEST(TripTo, AllLoopsOf8BitsUnsigned) { check_all_trips<uint8_t>(); }

TEST(TripTo, AnUpperBoundOneStepBelowIsNone) {
  EXPECT_EQ(trip_to<uint64_t>(0, UINT64_MAX, 1), 0u);
  EXPECT_EQ(trip_to<uint64_t>(5, 4, 1), 0u);
  EXPECT_EQ(trip_to<uint64_t>(4, 5, -1), 0u);
}

TEST(TripTo, Ranges64) {
  EXPECT_EQ(trip_to<uint64_t>(1, UINT64_MAX, 1), UINT64_MAX);
  EXPECT_EQ(trip_to<uint64_t>(0, UINT64_MAX, 2), uint64_t{1} << 63);
  EXPECT_EQ(trip_to<uint64_t>(UINT64_MAX, 0, INT64_MIN), 2u);
  EXPECT_EQ(trip_to<uint64_t>(static_cast<uint64_t>(-3), 3, 1), 7u);
}

}  // namespace
}  // namespace vicino::task
