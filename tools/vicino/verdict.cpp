#include "verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace vicino::cli {
namespace {

// Enough digits to tell the numbers from 1: "1.00x faster" would say nothing.
int digits_for(const Interval& interval) {
  const double nearest = std::min(std::abs(interval.low - 1), std::abs(interval.high - 1));
  return nearest >= 0.015 ? 2 : nearest >= 0.0015 ? 3 : 4;
}

std::string difference(double ratio, const Interval& interval, std::string_view word) {
  const int digits = digits_for(interval);
  return fmt::format("Vicino is {:.{}f}x {} (95 % interval {:.{}f} to {:.{}f}).", ratio, digits,
                     word, interval.low, digits, interval.high, digits);
}

}  // namespace

Verdict judge(std::span<const double> ratios) {
  if (ratios.empty()) return {};
  Verdict verdict{.finding = Finding::kTooFew, .estimate = estimate_ratio(ratios)};
  if (const auto& interval = verdict.estimate.interval) {
    verdict.finding = interval->low > 1    ? Finding::kBetter
                      : interval->high < 1 ? Finding::kWorse
                                           : Finding::kNoDifference;
  }
  return verdict;
}

std::string sentence(const Verdict& verdict, bool is_time, size_t pairs) {
  const auto& [ratio, interval] = verdict.estimate;
  switch (verdict.finding) {
    case Finding::kNothing:
      return "No pair was completed, so there is no result.";
    case Finding::kTooFew:
      return fmt::format(
          "{} pair{} too few for a verdict: the ratio was {:.2f}; an interval needs at "
          "least {} pairs.",
          pairs, pairs == 1 ? " is" : "s are", ratio, kFewestPairs);
    case Finding::kNoDifference:
      return fmt::format(
          "No difference was seen: ratio {:.3f} (95 % interval {:.3f} to "
          "{:.3f}).",
          ratio, interval->low, interval->high);
    case Finding::kBetter:
      return difference(ratio, *interval, is_time ? "faster" : "better");
    case Finding::kWorse:
      return difference(1 / ratio, {1 / interval->high, 1 / interval->low},
                        is_time ? "slower" : "worse");
  }
  return {};
}

std::string_view word_of(Finding finding) {
  switch (finding) {
    case Finding::kNothing:
      return "nothing";
    case Finding::kTooFew:
      return "too few pairs";
    case Finding::kNoDifference:
      return "no difference";
    case Finding::kBetter:
      return "better";
    case Finding::kWorse:
      return "worse";
  }
  return {};
}

}  // namespace vicino::cli
