// arithmetic.hpp: the few functions on real numbers that the runtime needs.
//
// Why    libm is a library of its own. A process that is linked against OpenMP and does not need
//        libm otherwise would open, map and relocate it at each start, for a square root in a
//        tuner.
// Not    for results that have to be exact to the last bit.
#pragma once

#include <cstdint>

namespace vicino {

constexpr double round_down(double x) noexcept {
  if (!(x > -0x1p52 && x < 0x1p52)) return x;  // whole already
  const auto whole = static_cast<double>(static_cast<int64_t>(x));
  return whole > x ? whole - 1 : whole;
}
constexpr double round_up(double x) noexcept { return -round_down(-x); }
// Rounds halves away from zero. |x| is below 2^62.
constexpr int64_t round_to_nearest(double x) noexcept {
  return static_cast<int64_t>(x < 0 ? x - 0.5 : x + 0.5);
}

// The exponent is from -1022 to 1023.
double power_of_two(int exponent) noexcept;
// x is not negative.
double square_root(double x) noexcept;
double cube_root(double x) noexcept;
// x is positive.
double natural_logarithm(double x) noexcept;

}  // namespace vicino
