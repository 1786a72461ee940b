// range.hpp: a piece of a canonical iteration space [0, trip), and the user's bounds of it.
#pragma once

#include <cstdint>

namespace vicino::loop {

struct Range {
  uint64_t begin = 0;
  uint64_t end = 0;
  bool empty() const noexcept { return begin == end; }
  uint64_t size() const noexcept { return end - begin; }
  friend bool operator==(const Range&, const Range&) = default;
};

// The user's bounds, whatever their type, as a member keeps them while it is in the loop. Values
// are modulo 2^64; a caller that knows the type takes the low bits.
struct UserBounds {
  uint64_t lower = 0, step = 1;
  uint64_t trip = 0;        // of the canonical loop
  uint64_t iterations = 0;  // of the user's loop
  // Iterations of the user's loop that are one of the canonical loop; the last may be fewer.
  uint64_t piece = 1;

  // For callers who count the iterations from 0.
  static constexpr UserBounds from_zero(uint64_t trip) noexcept { return {0, 1, trip, trip}; }

  uint64_t value(uint64_t iteration) const noexcept { return lower + iteration * step; }
  // Where a range begins and ends, in iterations of the user's loop.
  uint64_t begin_of(Range r) const noexcept { return r.begin * piece; }
  uint64_t end_of(Range r) const noexcept { return r.end == trip ? iterations : r.end * piece; }

  void cut_in_pieces(uint64_t size) noexcept {
    piece = size;
    trip = iterations / size + (iterations % size != 0);
  }
};

}  // namespace vicino::loop
