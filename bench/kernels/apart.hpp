// apart.hpp: how far two answers are from each other.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

namespace bench {

// The difference relative to the larger magnitude, if that is more than 1. The distance to a NaN is
// infinite.
inline double apart(double a, double b) {
  const double scale = std::max({std::abs(a), std::abs(b), 1.0});
  const double difference = std::abs(a - b) / scale;
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

template <class Range>
double furthest(const Range& a, const Range& b) {
  double most = 0;
  for (long i = 0; i < a.size(); ++i) most = std::max(most, apart(a[i], b[i]));
  return most;
}

}  // namespace bench
