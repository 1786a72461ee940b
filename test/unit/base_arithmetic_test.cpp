// The functions that replace libm's and std::from_chars(), compared with those.
#include <gtest/gtest.h>

#include <cmath>

#include "base/arithmetic.hpp"
#include "base/decimal.hpp"

namespace vicino {
namespace {

TEST(Arithmetic, RoundsAsLibmDoes) {
  for (const double x : {0.0, 0.49, 0.5, 1.0, 1.5, 2.5, 7.999999, 1e15 + 0.5, 0x1p60, 1e300})
    for (const double y : {x, -x}) {
      EXPECT_EQ(round_down(y), std::floor(y)) << y;
      EXPECT_EQ(round_up(y), std::ceil(y)) << y;
      if (x < 0x1p60) {
        EXPECT_EQ(round_to_nearest(y), std::lround(y)) << y;
      }
    }
  EXPECT_EQ(round_up(INFINITY), INFINITY);
}

TEST(Arithmetic, RootsAndLogarithm) {
  for (double x = 1e-12; x < 1e18; x *= 1.37) {
    EXPECT_NEAR(square_root(x) / std::sqrt(x), 1, 1e-15) << x;
    EXPECT_NEAR(cube_root(x) / std::cbrt(x), 1, 1e-15) << x;
    EXPECT_NEAR(natural_logarithm(x), std::log(x), 1e-14) << x;
  }
  EXPECT_EQ(square_root(0), 0);
  EXPECT_EQ(cube_root(0), 0);
  for (const int exponent : {-1022, -1, 0, 1, 63, 1023})
    EXPECT_EQ(power_of_two(exponent), std::ldexp(1, exponent));
}

TEST(Decimal, TakesWhatFilesAndSettingsHave) {
  const std::pair<const char*, double> cases[] = {{"0", 0},     {"12", 12}, {"-3.25", -3.25},
                                                  {".5", 0.5},  {"5.", 5},  {"1e-3", 1e-3},
                                                  {"2E+2", 200}};
  for (const auto& [text, value] : cases) EXPECT_EQ(parse_decimal(text), value) << text;
}

TEST(Decimal, TakesNothingElse) {
  for (const char* text : {"", " 1", "1 ", "+1", "1x", "0x1p3", "inf", "nan", "1e", "-", ".", "1,5",
                           "1e999", "1e-999", "e5", "--1"})
    EXPECT_FALSE(parse_decimal(text)) << text;
}

}  // namespace
}  // namespace vicino
