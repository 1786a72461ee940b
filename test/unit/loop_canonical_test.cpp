// The edge of the loop layer: exhaustively on 8-bit types, and at the extremes of 64-bit types.
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "loop/canonical.hpp"

namespace vicino::loop {
namespace {

// The loop as the language defines it, in arithmetic that cannot overflow.
template <class T>
std::vector<int> values_of(int lower, int upper, int step, bool inclusive) {
  std::vector<int> values;
  if (step > 0)
    for (int i = lower; inclusive ? i <= upper : i < upper; i += step) values.push_back(i);
  else
    for (int i = lower; inclusive ? i >= upper : i > upper; i += step) values.push_back(i);
  return values;
}

template <class T>
class CanonicalTest : public testing::Test {};
using Bytes = testing::Types<int8_t, uint8_t>;
TYPED_TEST_SUITE(CanonicalTest, Bytes);

template <class T>
void check_all(bool inclusive) {
  using Limits = std::numeric_limits<T>;
  for (int lower = Limits::min(); lower <= Limits::max(); ++lower)
    for (int upper = Limits::min(); upper <= Limits::max(); ++upper)
      for (int step = INT8_MIN; step <= INT8_MAX; ++step) {
        if (step == 0) continue;
        const auto t = [](int value) { return static_cast<T>(value); };
        const auto s = static_cast<int8_t>(step);
        const auto space = inclusive ? Canonical<T>::inclusive(t(lower), t(upper), s)
                                     : Canonical<T>::exclusive(t(lower), t(upper), s);
        const int distance = step > 0 ? upper - lower : lower - upper;
        const int size = step > 0 ? step : -step;
        const int trip = inclusive ? (distance < 0 ? 0 : distance / size + 1)
                                   : (distance <= 0 ? 0 : (distance - 1) / size + 1);
        ASSERT_EQ(space.trip(), static_cast<uint64_t>(trip))
            << lower << ' ' << upper << ' ' << step;
        if (trip == 0) continue;
        ASSERT_EQ(space.value(0), t(lower));
        ASSERT_EQ(space.last({0, space.trip()}), t(lower + (trip - 1) * step));
        ASSERT_EQ(space.first({space.trip() - 1, space.trip()}), t(lower + (trip - 1) * step));
      }
}

TYPED_TEST(CanonicalTest, EveryInclusiveLoopOf8BitsHasItsTripCountAndLastValue) {
  check_all<TypeParam>(true);
}

TYPED_TEST(CanonicalTest, EveryExclusiveLoopOf8BitsHasItsTripCountAndLastValue) {
  check_all<TypeParam>(false);
}

TYPED_TEST(CanonicalTest, ValuesAreThoseOfTheLanguage) {
  using Limits = std::numeric_limits<TypeParam>;
  for (int step : {1, 3, 100, 127, -1, -7, -128})
    for (bool inclusive : {true, false}) {
      const int lower = step > 0 ? Limits::min() : Limits::max();
      const int upper = step > 0 ? Limits::max() : Limits::min();
      const auto expected = values_of<TypeParam>(lower, upper, step, inclusive);
      const auto t = [](int value) { return static_cast<TypeParam>(value); };
      const auto s = static_cast<int8_t>(step);
      const auto space = inclusive ? Canonical<TypeParam>::inclusive(t(lower), t(upper), s)
                                   : Canonical<TypeParam>::exclusive(t(lower), t(upper), s);
      ASSERT_EQ(space.trip(), expected.size());
      for (size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(space.value(i), t(expected[i]));
    }
}

TEST(Canonical, LoopsOverAllOf64Bits) {
  constexpr int64_t kMin = INT64_MIN, kMax = INT64_MAX;
  EXPECT_EQ((Canonical<int64_t>::exclusive(kMin, kMax, 1).trip()), UINT64_MAX);
  EXPECT_EQ((Canonical<int64_t>::exclusive(kMax, kMin, -1).trip()), UINT64_MAX);
  EXPECT_EQ((Canonical<int64_t>::exclusive(kMax, kMin, kMin).trip()), 2u);
  EXPECT_EQ((Canonical<int64_t>::inclusive(kMin, kMax, kMax).trip()), 3u);
  EXPECT_EQ((Canonical<uint64_t>::exclusive(0, UINT64_MAX, 2).trip()), uint64_t{1} << 63);
  EXPECT_EQ((Canonical<uint64_t>::inclusive(0, UINT64_MAX - 1, 1).trip()), UINT64_MAX);
  // What clang asks for where a collapsed loop has no iteration: its trip count less one.
  EXPECT_EQ((Canonical<uint64_t>::inclusive(0, UINT64_MAX, 1).trip()), 0u);
}

}  // namespace
}  // namespace vicino::loop
