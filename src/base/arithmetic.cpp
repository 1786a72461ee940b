#include "base/arithmetic.hpp"

#include <bit>

namespace vicino {
namespace {

constexpr int kMantissaBits = 52, kBias = 1022;
constexpr uint64_t kMantissa = (uint64_t{1} << kMantissaBits) - 1;

// x = part * 2^exponent, with a part in [1/2, 1). x is a normal number.
struct Parts {
  double part;
  int exponent;
};
Parts parts_of(double x) noexcept {
  const auto bits = std::bit_cast<uint64_t>(x);
  return {std::bit_cast<double>((bits & kMantissa) | uint64_t{kBias} << kMantissaBits),
          static_cast<int>(bits >> kMantissaBits) - kBias};
}

// Newton's method, from a start within a factor of two: each step doubles the number of correct
// digits.
template <class Step>
double improve(double y, Step step) noexcept {
  for (int i = 0; i < 8; ++i) y = step(y);
  return y;
}

bool has_root(double x) noexcept { return x >= 0x1p-1000 && x <= 0x1p1000; }

}  // namespace

double power_of_two(int exponent) noexcept {
  return std::bit_cast<double>(static_cast<uint64_t>(exponent + kBias + 1) << kMantissaBits);
}

double square_root(double x) noexcept {
  if (!has_root(x)) return 0;
  return improve(power_of_two(parts_of(x).exponent / 2), [x](double y) { return (y + x / y) / 2; });
}

double cube_root(double x) noexcept {
  if (!has_root(x)) return 0;
  return improve(power_of_two(parts_of(x).exponent / 3),
                 [x](double y) { return (2 * y + x / (y * y)) / 3; });
}

// ln m = 2 (s + s^3/3 + s^5/5 + ...) with s = (m - 1) / (m + 1); |s| is at most a third here.
double natural_logarithm(double x) noexcept {
  constexpr double kOfTwo = 0.69314718055994530942;
  const auto [part, exponent] = parts_of(x);
  const double s = (part - 1) / (part + 1);
  double sum = 0, power = s;
  for (int k = 1; k < 40; k += 2, power *= s * s) sum += power / k;
  return 2 * sum + exponent * kOfTwo;
}

}  // namespace vicino
