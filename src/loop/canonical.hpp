// canonical.hpp: a user's loop as [0, trip), and parts of that range as the user's bounds again.
//
// Why    Signedness, stride and overflow are dealt with here, once; schedulers see counts only.
// How    All arithmetic is unsigned and modulo 2^N, where it is exact. The trip count of a loop of
//        an N-bit type fits in 64 bits, except for the one loop over all 2^64 values. Nobody waits for
//        that; clang's collapsed loops ask for it where they have no iteration, with an inclusive
//        upper bound of 0 - 1. So its trip count is 0, which is 2^64 modulo 2^64.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "loop/range.hpp"

namespace vicino::loop {

template <std::integral T>
class Canonical {
  using U = std::make_unsigned_t<T>;
  using S = std::make_signed_t<T>;

 public:
  // lower, lower + step, … up to `upper`, inclusive; step is not 0.
  static constexpr Canonical inclusive(T lower, T upper, S step) noexcept {
    const bool runs = step > 0 ? lower <= upper : lower >= upper;
    if (!runs) return {lower, step, 0};
    return {lower, step, span(lower, upper, step > 0) / magnitude(step) + 1};
  }

  // Up to `end`, exclusive.
  static constexpr Canonical exclusive(T lower, T end, S step) noexcept {
    const bool runs = step > 0 ? lower < end : lower > end;
    if (!runs) return {lower, step, 0};
    return {lower, step, (span(lower, end, step > 0) - 1) / magnitude(step) + 1};
  }

  constexpr uint64_t trip() const noexcept { return trip_; }

  // The value of iteration i. value(trip) is the bound after the last, modulo 2^N.
  constexpr T value(uint64_t i) const noexcept {
    return static_cast<T>(static_cast<U>(
        static_cast<U>(lower_) + static_cast<U>(static_cast<U>(i) * static_cast<U>(step_))));
  }

  constexpr S step() const noexcept { return step_; }
  constexpr UserBounds bounds() const noexcept {
    return {static_cast<uint64_t>(lower_), static_cast<uint64_t>(step_), trip_, trip_};
  }

  // The inclusive bounds of a range that is not empty.
  constexpr T first(Range r) const noexcept { return value(r.begin); }
  constexpr T last(Range r) const noexcept { return value(r.end - 1); }

 private:
  constexpr Canonical(T lower, S step, uint64_t trip) noexcept
      : lower_(lower), step_(step), trip_(trip) {}

  static constexpr uint64_t span(T lower, T upper, bool up) noexcept {
    const U distance = up ? static_cast<U>(static_cast<U>(upper) - static_cast<U>(lower))
                          : static_cast<U>(static_cast<U>(lower) - static_cast<U>(upper));
    return distance;
  }
  static constexpr uint64_t magnitude(S step) noexcept {
    return step > 0 ? static_cast<U>(step) : static_cast<U>(U{0} - static_cast<U>(step));
  }

  T lower_;
  S step_;
  uint64_t trip_;
};

}  // namespace vicino::loop
