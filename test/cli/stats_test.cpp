#include "stats.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "verdict.hpp"

namespace vicino::cli {
namespace {

TEST(Spread, IsTheQuartilesBetweenValues) {
  const std::vector<double> values = {4, 1, 3, 2, 10};
  const Spread spread = spread_of(values);
  EXPECT_DOUBLE_EQ(spread.median, 3);
  EXPECT_DOUBLE_EQ(spread.lower, 2);
  EXPECT_DOUBLE_EQ(spread.upper, 4);
  EXPECT_DOUBLE_EQ(spread_of(std::vector<double>{1, 2}).median, 1.5);
  EXPECT_DOUBLE_EQ(spread_of({}).median, 0);
}

// The expected bounds are the two-sided 5 % points of the signed-rank statistic, as tables print
// them, plus one: a table gives the largest sum that rejects, the bound is the first mean inside.
TEST(SignedRank, BoundIsThatOfTheTables) {
  for (const auto& [n, critical] :
       {std::pair{6, 0}, {7, 2}, {8, 3}, {9, 5}, {10, 8}, {15, 25}, {20, 52}, {25, 89}, {50, 434}})
    EXPECT_EQ(signed_rank_bound(n), critical + 1) << n;
  for (int n = 1; n < kFewestPairs; ++n) EXPECT_EQ(signed_rank_bound(n), 0) << n;
}

TEST(SignedRank, NormalCurveTakesOverSmoothly) {
  const int step = signed_rank_bound(101) - signed_rank_bound(100);
  EXPECT_NEAR(step, signed_rank_bound(100) - signed_rank_bound(99), 3);
}

TEST(Ratio, OfEqualPairsIsThatRatio) {
  const RatioEstimate found = estimate_ratio(std::vector<double>(8, 1.25));
  EXPECT_DOUBLE_EQ(found.ratio, 1.25);
  EXPECT_DOUBLE_EQ(found.interval->low, 1.25);
  EXPECT_DOUBLE_EQ(found.interval->high, 1.25);
}

TEST(Ratio, TurnsOverWithTheSides) {
  const std::vector<double> ratios = {1.1, 1.3, 0.9, 1.2, 1.5, 1.0, 1.25};
  std::vector<double> inverse;
  for (const double ratio : ratios) inverse.push_back(1 / ratio);
  const RatioEstimate there = estimate_ratio(ratios), back = estimate_ratio(inverse);
  EXPECT_NEAR(there.ratio, 1 / back.ratio, 1e-12);
  EXPECT_NEAR(there.interval->low, 1 / back.interval->high, 1e-12);
}

TEST(Ratio, OneWildRunHardlyMovesIt) {
  std::vector<double> ratios(12, 1.0);
  for (size_t i = 0; i < ratios.size(); ++i) ratios[i] += 0.01 * static_cast<double>(i);
  const RatioEstimate calm = estimate_ratio(ratios);
  ratios[11] = 1000;
  const RatioEstimate wild = estimate_ratio(ratios);
  EXPECT_NEAR(wild.ratio, calm.ratio, 0.02);
  EXPECT_NEAR(wild.interval->high, calm.interval->high, 0.02);
}

// How often the interval contains the true ratio, for noise like that of programs: both runs of a
// pair share a drift; each run is late by a skewed amount, and sometimes by much.
double coverage(int pairs, double truth, int experiments) {
  std::mt19937_64 random(42);
  std::lognormal_distribution<double> late(-3.5, 1.0);
  std::normal_distribution<double> drift(0, 0.3);
  std::bernoulli_distribution hiccup(0.05);
  const auto run = [&](double time) {
    return time * (1 + late(random)) * (hiccup(random) ? 2 : 1);
  };
  int held = 0;
  for (int experiment = 0; experiment < experiments; ++experiment) {
    std::vector<double> ratios;
    for (int pair = 0; pair < pairs; ++pair) {
      const double time = std::exp(drift(random));
      ratios.push_back(run(time * truth) / run(time));
    }
    const Interval interval = *estimate_ratio(ratios).interval;
    held += interval.low <= truth && truth <= interval.high;
  }
  return static_cast<double>(held) / experiments;
}

TEST(Ratio, IntervalHoldsTheTruthAsOftenAsItSays) {
  constexpr int kExperiments = 4000;
  const double slack = 3 * std::sqrt(0.05 * 0.95 / kExperiments);
  for (const int pairs : {6, 10, 20, 40})
    for (const double truth : {1.0, 1.12}) {
      const double held = coverage(pairs, truth, kExperiments);
      EXPECT_GT(held, kConfidence - slack) << pairs << " pairs, truth " << truth;
      EXPECT_LT(held, 0.98 + slack) << pairs << " pairs: wider than need be";
    }
}

std::string verdict_of(const std::vector<double>& ratios, bool is_time = true) {
  return sentence(judge(ratios), is_time, ratios.size());
}

TEST(Verdict, IsAsPlainForSlowerAsForFaster) {
  EXPECT_EQ(verdict_of(std::vector<double>(6, 1.25)),
            "Vicino is 1.25x faster (95 % interval 1.25 to 1.25).");
  EXPECT_EQ(verdict_of(std::vector<double>(6, 0.8)),
            "Vicino is 1.25x slower (95 % interval 1.25 to 1.25).");
  EXPECT_EQ(verdict_of(std::vector<double>(6, 0.8), false),
            "Vicino is 1.25x worse (95 % interval 1.25 to 1.25).");
}

TEST(Verdict, SeesNoDifferenceWhenTheIntervalHoldsOne) {
  EXPECT_EQ(verdict_of({0.9, 1.1, 0.95, 1.05, 0.97, 1.03}).substr(0, 23),
            "No difference was seen:");
  EXPECT_EQ(judge(std::vector<double>(6, 1.0)).finding, Finding::kNoDifference);
}

TEST(Verdict, DoesNotJudgeByTooFewPairs) {
  EXPECT_EQ(judge(std::vector<double>(5, 3.0)).finding, Finding::kTooFew);
  EXPECT_EQ(judge({}).finding, Finding::kNothing);
  EXPECT_EQ(verdict_of({2.0}),
            "1 pair is too few for a verdict: the ratio was 2.00; an interval needs at least 6 "
            "pairs.");
}

TEST(Verdict, ShowsEnoughDigitsToDifferFromOne) {
  EXPECT_EQ(verdict_of(std::vector<double>(6, 1.004)),
            "Vicino is 1.004x faster (95 % interval 1.004 to 1.004).");
}

}  // namespace
}  // namespace vicino::cli
