#include "stats.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace vicino::cli {
namespace {

double quantile(std::span<const double> sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - std::floor(at));
}

std::vector<double> sorted_pairwise_means(const std::vector<double>& values) {
  std::vector<double> means;
  means.reserve(values.size() * (values.size() + 1) / 2);
  for (size_t i = 0; i < values.size(); ++i)
    for (size_t j = i; j < values.size(); ++j) means.push_back((values[i] + values[j]) / 2);
  std::ranges::sort(means);
  return means;
}

// The distribution of the rank sum of n signs, each as likely + as -: the share of each sum.
std::vector<double> rank_sum_shares(int n) {
  std::vector<double> shares = {1.0};
  for (int rank = 1; rank <= n; ++rank) {
    std::vector<double> next(shares.size() + static_cast<size_t>(rank), 0.0);
    for (size_t sum = 0; sum < shares.size(); ++sum) {
      next[sum] += shares[sum] / 2;
      next[sum + static_cast<size_t>(rank)] += shares[sum] / 2;
    }
    shares = std::move(next);
  }
  return shares;
}

// For more pairs the normal curve is as good: its error in the bound is below one in a thousand.
constexpr int kExactUpTo = 100;

int normal_bound(int n) {
  const double count = n;
  const double mean = count * (count + 1) / 4;
  const double deviation = std::sqrt(count * (count + 1) * (2 * count + 1) / 24);
  return static_cast<int>(std::floor(mean - 1.959964 * deviation));
}

}  // namespace

Spread spread_of(std::span<const double> values) {
  if (values.empty()) return {};
  std::vector<double> sorted(values.begin(), values.end());
  std::ranges::sort(sorted);
  return {quantile(sorted, 0.5), quantile(sorted, 0.25), quantile(sorted, 0.75)};
}

int signed_rank_bound(int n) {
  if (n > kExactUpTo) return normal_bound(n);
  double below = 0;  // probability of a sum less than k
  int k = 0;
  for (const double share : rank_sum_shares(n)) {
    if (below + share > (1 - kConfidence) / 2) break;
    below += share;
    ++k;
  }
  return k;
}

RatioEstimate estimate_ratio(std::span<const double> ratios) {
  std::vector<double> logs;
  for (const double ratio : ratios) logs.push_back(std::log(ratio));
  const std::vector<double> means = sorted_pairwise_means(logs);
  RatioEstimate result{.ratio = std::exp(quantile(means, 0.5)), .interval = {}};
  const int bound = signed_rank_bound(static_cast<int>(ratios.size()));
  if (bound > 0) {
    const auto k = static_cast<size_t>(bound);
    result.interval = Interval{std::exp(means[k - 1]), std::exp(means[means.size() - k])};
  }
  return result;
}

}  // namespace vicino::cli
