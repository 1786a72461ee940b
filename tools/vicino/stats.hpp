// stats.hpp: estimates from a list of measurements, with their confidence interval.
//
// Why    Times of programs are skewed, have outliers and drift with the machine. The two runs of a
//        pair follow one another, so drift cancels in their ratio. From the logarithms of the
//        ratios we take the Hodges-Lehmann estimate (the median of all pairwise means) and the
//        interval that Wilcoxon's signed-rank test does not reject. The test asks only that the log
//        ratios scatter symmetrically, which the random order within each pair ensures if there is
//        no difference. The interval is exact for few pairs, and from 12 pairs on one wild run
//        hardly moves it.
// Not    a t interval, which one outlier widens without bound, nor a bootstrap, whose intervals are
//        too narrow for few pairs: docs/reference/compare.md says how often each interval holds the truth.
#pragma once

#include <optional>
#include <span>
#include <vector>

namespace vicino::cli {

struct Spread {
  double median = 0, lower = 0, upper = 0;  // the quartiles; upper - lower is the IQR
};

// Quartiles between two values are interpolated. All zero for no values.
Spread spread_of(std::span<const double> values);

inline constexpr double kConfidence = 0.95;
inline constexpr int kFewestPairs = 6;  // with five, no interval reaches 95 %: 1 - 2/2^5

struct Interval {
  double low, high;
};

struct RatioEstimate {
  double ratio;                      // the estimate over all pairs
  std::optional<Interval> interval;  // none with fewer than kFewestPairs
};

// `ratios` has at least one element, and all are positive.
RatioEstimate estimate_ratio(std::span<const double> ratios);

// The k for which [k-th smallest, k-th largest] of the n(n+1)/2 pairwise means covers the centre
// with a probability of at least kConfidence; 0 if none does.
int signed_rank_bound(int n);

}  // namespace vicino::cli
