// graph.hpp: rows of whole numbers in one block of memory. They hold graphs, and the structure of
// sparse matrices.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "../kernels/numbers.hpp"

namespace bench {

struct Rows {
  std::vector<long> first{0};  // where each row begins, and the end of the last one
  std::vector<int32_t> to;

  long count() const { return static_cast<long>(first.size()) - 1; }
  long length(long row) const { return first[row + 1] - first[row]; }
  void end_row() { first.push_back(static_cast<long>(to.size())); }
};

inline constexpr double kGamma = 2.3;

// A length of at least `least`; the frequency of lengths falls with the power -kGamma up to `most`.
inline long power_law(uint64_t place, long least, long most) {
  const double length =
      static_cast<double>(least) * std::pow(1 - uniform(place), -1 / (kGamma - 1));
  return std::min(most, static_cast<long>(length));
}

// A pseudorandom number from 0 to count - 1.
inline int32_t pick(uint64_t place, long count) {
  return static_cast<int32_t>(scrambled(place) % static_cast<uint64_t>(count));
}

}  // namespace bench
