// The tuner's estimate and searches, on cases worked out by hand and on synthetic noise with known
// answers.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <set>
#include <vector>

#include "tune/estimate.hpp"
#include "tune/race.hpp"
#include "tune/site_tuner.hpp"
#include "tune/width_search.hpp"

namespace vicino::tune {
namespace {

Estimate of(std::initializer_list<double> samples) {
  Estimate estimate;
  for (const double s : samples) estimate.add(s);
  return estimate;
}

TEST(TuneEstimate, IsTheLowerQuartile) {
  EXPECT_EQ(of({}).value(), 0);
  EXPECT_EQ(of({7}).value(), 7);
  EXPECT_EQ(of({9, 5, 7, 100, 6}).value(), 6);
  EXPECT_EQ(of({9, 8, 7, 6, 5, 4, 3, 2, 1}).value(), 3);
}

TEST(TuneEstimate, ForgetsAllButTheNewest) {
  Estimate estimate;
  for (int i = 0; i < 100; ++i) estimate.add(1);
  for (uint32_t i = 0; i < Estimate::kKept; ++i) estimate.add(5);
  EXPECT_EQ(estimate.value(), 5);
  EXPECT_EQ(estimate.count(), 116u);
}

TEST(TuneEstimate, OfEverSoManyForgetsAllButTheNewest) {
  Estimate estimate = Estimate::restored(1, {1, 1}, Estimate::kMostCounted - 5);
  for (double round = 2; round < 10; ++round) {
    for (uint32_t i = 0; i < Estimate::kKept; ++i) estimate.add(round);
    EXPECT_EQ(estimate.interval().low, round);
    EXPECT_EQ(estimate.interval().high, round);
    EXPECT_LE(estimate.count(), Estimate::kMostCounted);
    EXPECT_GT(estimate.count(), Estimate::kMostCounted - Estimate::kKept);
  }
}

TEST(TuneEstimate, OfAFewSamplesTheIntervalIsAllOfThem) {
  EXPECT_EQ(of({3, 1, 2}).interval().low, 1);
  EXPECT_EQ(of({3, 1, 2}).interval().high, 3);
  EXPECT_EQ(of({4}).interval().low, 4);
  EXPECT_EQ(of({4}).interval().high, 4);
}

TEST(TuneEstimate, IsRestoredFromWhatAProfileKeeps) {
  std::mt19937 random(3);
  for (uint32_t count = 0; count <= 40; ++count) {
    Estimate estimate;
    for (uint32_t i = 0; i < count; ++i) estimate.add(1 + static_cast<double>(random() % 1000));
    const auto [low, high] = estimate.interval();
    const Estimate again = Estimate::restored(estimate.value(), {low, high}, count);
    EXPECT_EQ(again.count(), count);
    EXPECT_EQ(again.value(), estimate.value()) << count;
    EXPECT_EQ(again.interval().low, low) << count;
    EXPECT_EQ(again.interval().high, high) << count;
  }
  EXPECT_LE(Estimate::restored(1, {1, 1}, UINT32_MAX).count(), Estimate::kMostCounted);
}

// Noise that only adds: usually little, sometimes a lot.
class Noise {
 public:
  explicit Noise(uint32_t seed) : random_(seed) {}
  double operator()(double cost) {
    const double small = std::exponential_distribution(30.0)(random_);
    const bool hit = std::bernoulli_distribution(0.1)(random_);
    return cost * (1 + small + (hit ? std::uniform_real_distribution(0.5, 5.0)(random_) : 0));
  }

 private:
  std::mt19937 random_;
};

TEST(TuneEstimate, IntervalHoldsTheQuartileAsOftenAsItSays) {
  Noise noise(1);
  std::vector<double> many(200'000);
  for (double& sample : many) sample = noise(100);
  std::sort(many.begin(), many.end());
  const double truth = many[many.size() / 4];
  int held = 0;
  constexpr int kTrials = 2000;
  for (int i = 0; i < kTrials; ++i) {
    Estimate estimate;
    for (uint32_t n = 0; n < Estimate::kKept; ++n) estimate.add(noise(100));
    held += estimate.interval().low <= truth && truth <= estimate.interval().high;
  }
  EXPECT_GT(held, kTrials * 85 / 100);
  EXPECT_LT(held, kTrials * 99 / 100);
}

std::vector<int> sequence(int most, int grain, const std::function<double(int)>& cost) {
  WidthSearch search(most, grain);
  std::vector<int> tried;
  while (const auto threads = search.next()) {
    tried.push_back(*threads);
    search.record(*threads, cost(*threads));
    if (tried.size() > 100) break;
  }
  return tried;
}
std::function<double(int)> nearest_to(int best) {
  return [best](int threads) { return std::abs(threads - best) + 1.0; };
}

// Worked out by hand, from the corrected algorithm 1.
TEST(TuneWidths, HandWorkedSequences) {
  using Seq = std::vector<int>;
  EXPECT_EQ(sequence(64, 8, nearest_to(64)), (Seq{64, 32, 48, 56}));
  EXPECT_EQ(sequence(64, 8, nearest_to(8)), (Seq{64, 32, 8, 16, 1}));
  EXPECT_EQ(sequence(64, 8, nearest_to(26)), (Seq{64, 32, 8, 16, 24}));
  EXPECT_EQ(sequence(64, 8, [](int t) { return t == 32   ? 1.0
                                               : t == 64 ? 2
                                               : t == 48 ? 1.5
                                                         : 3; }),
            (Seq{64, 32, 8, 48, 40}));
  EXPECT_EQ(sequence(2, 1, nearest_to(1)), (Seq{2, 1}));
  EXPECT_EQ(sequence(2, 1, nearest_to(2)), (Seq{2, 1}));
  EXPECT_EQ(sequence(1, 1, nearest_to(1)), (Seq{1}));
  EXPECT_EQ(sequence(4, 1, nearest_to(1)), (Seq{4, 2, 1}));
  EXPECT_EQ(sequence(4, 2, nearest_to(1)), (Seq{4, 2, 1}));
  EXPECT_EQ(sequence(8, 2, nearest_to(2)), (Seq{8, 4, 2, 1}));
  EXPECT_EQ(sequence(16, 4, nearest_to(16)), (Seq{16, 8, 12}));
  EXPECT_EQ(sequence(24, 6, nearest_to(18)), (Seq{24, 12, 18}));
}

TEST(TuneWidths, EndsNeverRepeatsAndFindsTheBestOfEachSymmetricCurve) {
  for (int most = 1; most <= 130; ++most)
    for (int grain = 1; grain <= std::max(most / 2, 1); ++grain)
      for (int best = 1; best <= most; ++best) {
        const auto tried = sequence(most, grain, nearest_to(best));
        ASSERT_LE(tried.size(), 16u);
        ASSERT_EQ(std::set(tried.begin(), tried.end()).size(), tried.size());
        WidthSearch search(most, grain);
        while (const auto threads = search.next())
          search.record(*threads, nearest_to(best)(*threads));
        // Not below g except for the halves; the best multiple of g is at most g away.
        ASSERT_LE(std::abs(search.best() - best), grain)
            << most << " threads, g " << grain << ", best " << best;
      }
}

// A loop that each further thread slows down, whatever the team and the grain.
TEST(TuneWidths, FindsOneThread) {
  for (int most = 1; most <= 130; ++most)
    for (int grain = 1; grain <= std::max(most / 2, 1); ++grain) {
      WidthSearch search(most, grain);
      while (const auto threads = search.next()) search.record(*threads, *threads);
      ASSERT_EQ(search.best(), 1) << most << " threads, g " << grain;
    }
}

TEST(TuneWidths, TheGrainIsANodesShareOfTheTeam) {
  EXPECT_EQ(default_grain(64, 64, 8), 8);    // the paper's machine
  EXPECT_EQ(default_grain(128, 64, 8), 16);  // two threads on each core
  EXPECT_EQ(default_grain(16, 64, 8), 2);
  // A team that could be on one node.
  EXPECT_EQ(default_grain(8, 64, 8), 2);
  EXPECT_EQ(default_grain(16, 16, 1), 4);
  EXPECT_EQ(default_grain(16, 8, 1), 4);
  EXPECT_EQ(default_grain(2, 2, 1), 1);
  EXPECT_EQ(default_grain(1, 1, 1), 1);
  EXPECT_EQ(default_grain(4, 2, 4), 1);  // nodes without cores
  EXPECT_EQ(default_grain(2, 2, 4), 1);  // fewer members than nodes
}

// No width between all and one has a node split in two, whatever the times.
TEST(TuneWidths, OnTwoNodesEachHasAllOfItsThreadsOrNone) {
  const int grain = default_grain(96, 48, 2);
  EXPECT_EQ(sequence(96, grain, nearest_to(96)), (std::vector<int>{96, 48}));
  EXPECT_EQ(sequence(96, grain, nearest_to(48)), (std::vector<int>{96, 48, 1}));
}

TEST(TuneWidths, TakesTheGrainIntoItsRange) {
  EXPECT_EQ(sequence(8, 100, nearest_to(1)), (std::vector<int>{8, 4, 1}));
  EXPECT_EQ(sequence(8, 0, nearest_to(1)), (std::vector<int>{8, 4, 1, 2}));
}

uint32_t winner(Race race, const std::vector<double>& costs, Noise noise,
                uint32_t* runs = nullptr) {
  uint32_t n = 0;
  while (const auto candidate = race.next()) {
    race.record(*candidate, noise(costs[*candidate]));
    ++n;
  }
  if (runs != nullptr) *runs = n;
  return race.best();
}

TEST(TuneRace, FindsTheBestUnderNoise) {
  const std::vector<double> costs{100, 80, 130, 95, 400};
  int right = 0;
  for (uint32_t seed = 0; seed < 200; ++seed) right += winner(Race(5), costs, Noise(seed)) == 1;
  EXPECT_GE(right, 195);
}

TEST(TuneRace, KeepsTheFirstWhereNothingIsBetter) {
  const std::vector<double> costs{100, 100, 99.5, 300};
  uint32_t lost = 0;
  for (uint32_t seed = 0; seed < 200; ++seed) lost += winner(Race(4), costs, Noise(seed)) == 3;
  EXPECT_EQ(lost, 0u);
  Race exact(3);
  while (const auto candidate = exact.next()) exact.record(*candidate, candidate == 2u ? 99 : 100);
  EXPECT_EQ(exact.best(), 0u);
}

TEST(TuneRace, SpendsLittleOnTheHopeless) {
  uint32_t runs = 0;
  EXPECT_EQ(winner(Race(4), {100, 1000, 1000, 1000}, Noise(3), &runs), 0u);
  EXPECT_LE(runs, 8u);
}

TEST(TuneRace, OfOneIsOverAtOnce) {
  EXPECT_EQ(Race(1).next(), std::nullopt);
  EXPECT_EQ(Race(1).best(), 0u);
}

// A site whose schedules and widths have the costs of `cost`.
struct Site {
  Site(uint32_t candidates, int most, int grain, std::function<double(Choice)> its_cost)
      : tuner(candidates, most, grain), cost(std::move(its_cost)) {}
  void run(int times, uint64_t trip = 1000) {
    for (int i = 0; i < times; ++i) {
      const Choice choice = tuner.choose();
      const double ns = noise(cost(choice)) * static_cast<double>(trip);
      tuner.record(choice, ns, trip);
      total += ns;
    }
  }
  SiteTuner tuner;
  std::function<double(Choice)> cost;
  Noise noise{7};
  double total = 0;
};

TEST(TuneSite, SettlesOnTheBestScheduleAndWidth) {
  Site site(4, 64, 8, [](Choice c) {
    return (c.candidate == 2 ? 50.0 : 100.0) * (1 + std::abs(c.threads - 24) / 24.0);
  });
  site.run(2000);
  EXPECT_EQ(site.tuner.phase(), Phase::kSettled);
  EXPECT_EQ(site.tuner.best(), (Choice{2, 24}));
}

TEST(TuneSite, FindsOneThreadForALoopThatThreadsSlowDown) {
  Site site(4, 2, 1, [](Choice c) { return c.threads == 1 ? 20.0 : 60.0; });
  site.run(400);
  EXPECT_EQ(site.tuner.best(), (Choice{0, 1}));
}

TEST(TuneSite, TryingCostsNoMoreThanItsBudget) {
  Site site(5, 16, 4, [](Choice c) { return 100.0 * (1 + c.candidate) * 16 / c.threads; });
  site.run(2000);
  EXPECT_LE(site.tuner.explored_ns(), 0.05 * site.tuner.total_ns());
  EXPECT_EQ(site.tuner.best(), (Choice{0, 16}));
}

// The default is so much worse that one in kRecheck executions with it exceeds the budget.
TEST(TuneSite, WhatIsTriedAgainAndAgainWaitsForItsBudget) {
  Site site(2, 2, 1, [](Choice c) { return (c.candidate == 1 ? 100.0 : 900.0) * 2 / c.threads; });
  site.run(20'000);
  EXPECT_EQ(site.tuner.best(), (Choice{1, 2}));
  EXPECT_EQ(site.tuner.explored_again(), 0u);
  const double budget = kUsualPolicy.budget * site.tuner.total_ns();
  const double one = 900 * 6.5 * 1000;  // the cost of the execution with the most noise
  EXPECT_LE(site.tuner.charged_ns(), budget + one);
  EXPECT_GE(site.tuner.charged_ns(), budget - one) << "nothing had to wait";
}

TEST(TuneSite, ComesNearTheBestFixedChoiceWithinTwoHundredSteps) {
  double worst = 0;
  for (uint32_t seed = 0; seed < 50; ++seed) {
    Site site(4, 2, 1, [](Choice c) {
      constexpr double kCosts[] = {130, 100, 104, 115};
      return kCosts[c.candidate] * (c.threads == 2 ? 1 : 1.9);
    });
    site.noise = Noise(seed);
    site.run(200);
    Noise again(seed);
    double fixed = 0;
    for (int i = 0; i < 200; ++i) fixed += again(100) * 1000;
    worst = std::max(worst, site.total / fixed);
  }
  EXPECT_LE(worst, 1.07);
}

// A loop one half of which has nearly all the work, executed a few times.
TEST(TuneSite, FewExecutionsOfAnUnevenLoopDoNotAllWait) {
  const auto cost = [](Choice c) {
    return c.threads == 1 ? 195.0 : c.candidate == 0 ? 180.0 : 100;
  };
  const auto idle = [](Choice c) { return c.threads == 2 && c.candidate == 0 ? 0.45 : 0.01; };
  SiteTuner tuner(4, 2, 1);
  double total = 0;
  for (int i = 0; i < 6; ++i) {
    const Choice choice = tuner.choose();
    EXPECT_EQ(choice.candidate == 0, i == 0);
    EXPECT_EQ(choice.threads, 2);
    const double ns = cost(choice) * 200'000;
    total += ns;
    tuner.record(choice, ns, 200'000, {}, idle(choice));
  }
  EXPECT_LE(total, 1.15 * 6 * 100 * 200'000);
  for (int i = 0; i < 100; ++i) {
    const Choice choice = tuner.choose();
    tuner.record(choice, cost(choice) * 1000, 1000, {}, idle(choice));
  }
  EXPECT_EQ(tuner.phase(), Phase::kSettled);
  EXPECT_EQ(tuner.best(), (Choice{1, 2}));
  EXPECT_EQ(tuner.of_default().value(), 180);
}

// With four of eight threads, the expected loss is the time of one execution.
TEST(TuneSite, FewerThreadsForAnUnevenLoopAreTriedWhenTheBudgetAllows) {
  SiteTuner tuner(4, 8, 2);
  double total = 0, lost = 0;
  for (int i = 0; i < 400 && tuner.phase() != Phase::kSettled; ++i) {
    const Choice choice = tuner.choose();
    const double ns = choice.threads < 8 && lost == 0 ? 1.5e6 : 1e6;
    if (choice.threads < 8 && lost == 0) {
      lost = (8.0 / choice.threads - 1) * 1e6;
      EXPECT_LE(lost, kUsualPolicy.budget * total);
      EXPECT_GE(lost, kUsualPolicy.budget * (total - 2e6));
    }
    total += i > 0 ? ns : 0;
    tuner.record(choice, ns, 1000, {}, i == 0 ? 0.4 : 0);
  }
  EXPECT_GT(lost, 0);
}

// Half of the threads are better than all, and the next step is a quarter.
TEST(TuneSite, AnUnevenLoopThatFewerThreadsAreBetterForSettles) {
  Site site(4, 8, 2, [](Choice c) { return c.threads <= 4 ? 60.0 : 100.0; });
  site.tuner.record({0, 8}, 1e6, 1000, {}, 0.4);
  site.run(400);
  EXPECT_EQ(site.tuner.phase(), Phase::kSettled);
  EXPECT_LE(site.tuner.best().threads, 4);
}

// Only its first execution was uneven.
TEST(TuneSite, WhatItWouldHaveHadIsNotLeftUnseen) {
  const auto cost = [](Choice c) { return c.threads == 1 ? 90.0 : c.candidate == 0 ? 60.0 : 100; };
  SiteTuner tuner(4, 2, 1);
  for (int i = 0; i < 100; ++i) {
    const Choice choice = tuner.choose();
    tuner.record(choice, cost(choice) * 1000, 1000, {}, i == 0 ? 0.4 : 0);
    EXPECT_TRUE(i != 1 || choice == (Choice{1, 2}));
  }
  EXPECT_EQ(tuner.phase(), Phase::kSettled);
  EXPECT_EQ(tuner.best(), (Choice{0, 2}));
}

// Otherwise a profile would rank the earlier knowledge higher.
TEST(TuneSite, WhatIsKnownOfTheDefaultIsNotForgottenInTheRace) {
  int of_default = 0;
  SiteTuner tuner(4, 2, 1);
  uint32_t known = 0;
  for (int i = 0; i < 100; ++i) {
    const Choice choice = tuner.choose();
    double cost = choice.threads == 1 ? 90 : 100;
    if (i > 0 && choice == Choice{0, 2}) cost = ++of_default == 1 ? 200 : 60;
    tuner.record(choice, cost * 1000, 1000, {}, i == 0 ? 0.4 : 0);
    EXPECT_GE(tuner.of_default().count(), known);
    known = tuner.of_default().count();
  }
  EXPECT_EQ(tuner.best(), (Choice{0, 2}));
}

TEST(TuneSite, IgnoresAnUnevenOneThatBeganWithTheFirst) {
  SiteTuner tuner(3, 2, 1);
  for (int i = 0; i < 2; ++i) tuner.record({0, 2}, 1e6, 1000, {}, 0.4);
  EXPECT_EQ(tuner.choose(), (Choice{1, 2}));
  EXPECT_EQ(tuner.of_default().count(), 0u);
}

TEST(TuneSite, UnevenOrNotThereMayBeOneSchedule) {
  SiteTuner tuner(1, 2, 1);
  tuner.record(tuner.choose(), 1e6, 1000, {}, 0.4);
  EXPECT_EQ(tuner.choose(), (Choice{0, 2}));
}

// A loop for which one thread is best, although its threads wait for each other.
TEST(TuneSite, WhatItWouldHaveHadIsKnownWhereFewerThreadsAreTriedWithAnotherSchedule) {
  SiteTuner tuner(4, 2, 1);
  for (int i = 0; i < 100; ++i) {
    const Choice choice = tuner.choose();
    const double ns = choice.threads == 1 ? 1e6 : choice.candidate == 0 ? 5e6 : 4e6;
    tuner.record(choice, ns, 1000, {}, choice.threads == 2 ? 0.3 : 0);
  }
  EXPECT_EQ(tuner.phase(), Phase::kSettled);
  EXPECT_EQ(tuner.best().threads, 1);
  EXPECT_EQ(tuner.of_default().value(), 5000);
}

TEST(TuneSite, ExploresAgainFromWhatWasBest) {
  SiteTuner tuner(3, 8, 1);
  tuner.settle_on({2, 4}, 100);
  for (uint32_t i = 0; i < SiteTuner::kOff; ++i) tuner.record({2, 4}, 200 * 1000, 1000);
  EXPECT_EQ(tuner.choose(), (Choice{2, 8}));
}

TEST(TuneSite, ExploresAgainWithTheSecondWhereItHasBecomeUneven) {
  SiteTuner tuner(3, 8, 1);
  tuner.settle_on({0, 8}, 100);
  EXPECT_FALSE(tuner.asks_idle());
  for (uint32_t i = 0; i < SiteTuner::kOff; ++i) {
    tuner.record({0, 8}, 200 * 1000, 1000, {}, tuner.asks_idle() ? 0.4 : 0);
    EXPECT_EQ(tuner.asks_idle(), i + 1 < SiteTuner::kOff);
  }
  EXPECT_EQ(tuner.choose(), (Choice{1, 8}));
}

TEST(TuneSite, TaskloopsAreExploredAgainStrictly) {
  SiteTuner tuner(2, 8, 1, IfShort::kTryOneThread);
  tuner.settle_on({1, 4}, 100);
  for (uint32_t i = 0; i < SiteTuner::kOff; ++i) tuner.record({1, 4}, 200 * 1000, 1000);
  EXPECT_EQ(tuner.choose(), (Choice{0, 8}));
}

// Few executions show that threads hinder each other; one is enough where nothing else can have
// made it so long. The first execution is a warm-up.
TEST(TuneSite, StopsSoonWhatThreadsSlowDown) {
  for (const double ns : {50.0, 5'000.0}) {
    int all = 0;
    Site site(4, 2, 1, [&](Choice c) { return ns * (c.threads == 1 ? 1 : (++all, 19)); });
    site.run(100);
    EXPECT_EQ(site.tuner.best().threads, 1);
    EXPECT_EQ(all, ns > 1000 ? 2 : 3);
  }
}

TEST(TuneSite, OneExecutionThatWasHeldUpDecidesNothing) {
  int all = 0;
  Site site(1, 2, 1, [&](Choice c) { return c.threads == 1 ? 100.0 : ++all == 2 ? 4000.0 : 50.0; });
  site.run(100);
  EXPECT_EQ(site.tuner.best().threads, 2);
}

TEST(TuneSite, LeavesShortSitesAlone) {
  Site site(4, 8, 1, [](Choice) { return 0.5; });  // 500 ns
  site.run(10'000);
  EXPECT_EQ(site.tuner.phase(), Phase::kLeftAlone);
  EXPECT_EQ(site.tuner.choose(), (Choice{0, 8}));
}

TEST(TuneSite, ExploresAShortSiteThatGrows) {
  Site site(4, 8, 1, [](Choice c) { return (c.candidate == 1 ? 40.0 : 80.0) / c.threads; });
  site.run(100, 10);
  EXPECT_EQ(site.tuner.phase(), Phase::kLeftAlone);
  site.run(500, 10'000);
  EXPECT_EQ(site.tuner.best(), (Choice{1, 8}));
}

TEST(TuneSite, ExploresAgainWhenItsTimeChanges) {
  uint32_t best = 1;
  Site site(3, 2, 1,
            [&best](Choice c) { return (c.candidate == best ? 50.0 : 200.0) * 2 / c.threads; });
  site.run(500);
  EXPECT_EQ(site.tuner.best(), (Choice{1, 2}));
  EXPECT_EQ(site.tuner.explored_again(), 0u);
  best = 2;
  site.run(500);
  EXPECT_EQ(site.tuner.best(), (Choice{2, 2}));
  EXPECT_EQ(site.tuner.explored_again(), 1u);
}

TEST(TuneSite, ATripCountThatChangesIsNoChangeOfCost) {
  Site site(3, 2, 1, [](Choice c) { return (c.candidate == 1 ? 50.0 : 70.0) * 2 / c.threads; });
  for (uint64_t trip = 2000; trip > 400; --trip) site.run(1, trip);
  EXPECT_EQ(site.tuner.best(), (Choice{1, 2}));
  EXPECT_EQ(site.tuner.explored_again(), 0u);
}

TEST(TuneSite, IgnoresWhatBeganBeforeThePresentPhase) {
  Site site(2, 8, 1, [](Choice c) { return 8000.0 / c.threads; });
  site.run(1);
  ASSERT_EQ(site.tuner.phase(), Phase::kWidths);
  site.tuner.record({0, 5}, 1, 10);  // from an earlier race, while widths are tried
  EXPECT_TRUE(site.tuner.widths().empty());
  for (int runs = 0; runs < 100 && site.tuner.phase() == Phase::kWidths; ++runs) site.run(1);
  ASSERT_EQ(site.tuner.phase(), Phase::kSchedules);
  ASSERT_EQ(site.tuner.race_threads(), 8);
  site.tuner.record({1, 3}, 1, 10);  // a width, while schedules are tried
  EXPECT_EQ(site.tuner.race().estimate(1).count(), 0u);
  EXPECT_EQ(site.tuner.best(), (Choice{0, 8}));
}

TEST(TuneSite, SettledOnWhatAnEarlierRunFound) {
  SiteTuner tuner(3, 8, 1);
  tuner.settle_on({2, 4}, 100);
  EXPECT_EQ(tuner.choose(), (Choice{2, 4}));
  for (int i = 0; i < 100; ++i) tuner.record(tuner.choose(), 100 * 1000, 1000);
  EXPECT_EQ(tuner.choose(), (Choice{2, 4}));
}

TEST(TuneSite, WhatAnEarlierRunFoundIsWatched) {
  SiteTuner tuner(3, 8, 1);
  tuner.settle_on({2, 4}, 100);
  for (uint32_t i = 0; i < SiteTuner::kOff; ++i) {
    EXPECT_EQ(tuner.phase(), Phase::kSettled);
    tuner.record(tuner.choose(), 200 * 1000, 1000);
  }
  EXPECT_EQ(tuner.phase(), Phase::kWidths);
  EXPECT_EQ(tuner.explored_again(), 1u);
}

// Runs of one site, each of which starts with what a profile keeps of the run before.
struct Runs {
  explicit Runs(Site its_site) : site(std::move(its_site)), fresh(site.tuner) {}
  // Runs until the site is settled; returns the number of runs, or 0 if it never settles.
  int until_settled(int executions) {
    for (int run = 1; run <= 100; ++run) {
      site.run(executions);
      if (site.tuner.phase() == Phase::kSettled) return run;
      const auto tried = kept();
      const Estimate by_default = as_kept(site.tuner.of_default());
      site.tuner = fresh;
      EXPECT_TRUE(site.tuner.go_on_from(tried, by_default, 1000) || tried.empty());
    }
    return 0;
  }
  static Estimate as_kept(const Estimate& estimate) {
    return Estimate::restored(estimate.value(), estimate.interval(), estimate.count());
  }
  std::vector<SiteTuner::Tried> kept() const {
    auto tried = site.tuner.tried();
    for (auto& t : tried) t.estimate = as_kept(t.estimate);
    return tried;
  }
  Site site;
  const SiteTuner fresh;
};

TEST(TuneSite, ShortRunsLearnAsMuchAsALongOne) {
  const auto cost = [](Choice c) {
    return (c.candidate == 2 ? 50.0 : 100.0) * (1 + std::abs(c.threads - 24) / 24.0);
  };
  int in_runs = 0, in_one = 0, most = 0;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    Runs runs(Site(4, 64, 8, cost));
    runs.site.noise = Noise(seed);
    most = std::max(most, runs.until_settled(6));
    ASSERT_EQ(runs.site.tuner.phase(), Phase::kSettled);
    in_runs += runs.site.tuner.best() == Choice{2, 24};
    Site one(4, 64, 8, cost);
    one.noise = Noise(seed);
    while (one.tuner.phase() != Phase::kSettled) one.run(1);
    in_one += one.tuner.best() == Choice{2, 24};
  }
  EXPECT_GE(in_runs, 185);  // 191
  EXPECT_GE(in_one, 185);
  EXPECT_LE(most, 12);  // at least 33 executions, and a warm-up in each run
}

// The site's threads wait for each other; the default is tried last of all.
TEST(TuneSite, ShortRunsOfAnUnevenLoopSettle) {
  const auto cost = [](Choice c) { return c.threads == 1 ? 90.0 : c.candidate == 0 ? 200.0 : 120; };
  for (const int executions : {2, 3, 6}) {
    Runs runs(Site(4, 2, 1, cost));
    runs.site.tuner.record({0, 2}, 2e5, 1000, {}, 0.4);
    EXPECT_NE(runs.until_settled(executions), 0) << executions;
    EXPECT_EQ(runs.site.tuner.best().threads, 1);
    EXPECT_GE(runs.site.tuner.of_default().count(), SiteTuner::kLooks);
  }
}

TEST(TuneSite, GoesOnWhereItStoppedAfterAWarmUp) {
  Site site(4, 2, 1, [](Choice c) { return c.threads == 1 ? 20.0 : 60.0 - c.candidate; });
  site.run(9);
  ASSERT_EQ(site.tuner.phase(), Phase::kSchedules);
  SiteTuner next(4, 2, 1);
  ASSERT_TRUE(next.go_on_from(site.tuner.tried(), site.tuner.of_default(), 1000));
  EXPECT_EQ(next.choose(), site.tuner.best());
  next.record(next.choose(), 1e9, 1000, {}, 0.9);  // a warm-up, so it says nothing
  EXPECT_EQ(next.phase(), Phase::kSchedules);
  EXPECT_EQ(next.base(), 0u);
  EXPECT_EQ(next.choose(), site.tuner.choose());
  ASSERT_EQ(next.tried().size(), site.tuner.tried().size());
  for (size_t i = 0; i < next.tried().size(); ++i)
    EXPECT_EQ(next.tried()[i].estimate.value(), site.tuner.tried()[i].estimate.value());
}

// What the rest of the program took is not kept, so nothing can be compared with the default anew.
TEST(TuneSite, OnSeveralNodesAWinnerIsKeptAndARaceBeginsAnew) {
  const auto on_nodes = [] {
    return SiteTuner(4, 8, 1, IfShort::kLeaveAlone, SiteTuner::kShort, kPolicyOnNodes);
  };
  SiteTuner winner = on_nodes();
  ASSERT_TRUE(winner.go_on_from(std::vector<SiteTuner::Tried>{{{2, 8}, of({50, 51, 52})}},
                                of({100, 101, 102}), 1000));
  for (int i = 0; i < 500; ++i) {
    ASSERT_EQ(winner.best(), (Choice{2, 8})) << i;
    const Choice choice = winner.choose();
    winner.record(choice, choice.candidate == 2 ? 50'000 : 100'000, 1000);
  }
  EXPECT_EQ(winner.base(), 2u);
  EXPECT_FALSE(on_nodes().go_on_from(
      std::vector<SiteTuner::Tried>{{{0, 8}, of({100, 101, 102})}, {{1, 8}, of({90, 91, 92})}},
      of({100, 101, 102}), 1000));
}

// 3 % are enough where all threads are on one node.
TEST(TuneSite, OnSeveralNodesAnotherLengthsChoiceMustBeWorthMoreAndClear) {
  const auto phase_after = [](const Policy& policy, std::vector<double> of_default,
                              std::vector<double> of_other) {
    SiteTuner tuner(4, 8, 1, IfShort::kLeaveAlone, SiteTuner::kShort, policy);
    tuner.begin_like({{2, 8}, std::nullopt, 1});
    tuner.record(tuner.choose(), 1e6, 1000);  // the warm-up
    tuner.live({0, 8}, 1e6, 1);
    for (size_t i = 0, k = 0; tuner.phase() == Phase::kLike && i + k < 6;) {
      const Choice choice = tuner.choose();
      tuner.record(choice, (choice.candidate == 2 ? of_other[k++] : of_default[i++]) * 1000, 1000);
    }
    return tuner.phase();
  };
  const std::vector<double> usual{1000, 1001, 1002}, less{970, 971, 972}, much_less{900, 901, 902};
  EXPECT_EQ(phase_after(kUsualPolicy, usual, less), Phase::kSettled);
  EXPECT_NE(phase_after(kPolicyOnNodes, usual, less), Phase::kSettled);
  EXPECT_EQ(phase_after(kPolicyOnNodes, usual, much_less), Phase::kSettled);
  const std::vector<double> overlapping{900, 901, 1001};
  EXPECT_EQ(phase_after(kUsualPolicy, usual, overlapping), Phase::kSettled);
  EXPECT_NE(phase_after(kPolicyOnNodes, usual, overlapping), Phase::kSettled);
  EXPECT_EQ(phase_after(kPolicyOnNodes, usual, {500, 501, 502}), Phase::kSettled);
}

TEST(TuneSite, OnSeveralNodesSecondThoughtsMustBeWorthMore) {
  const auto explored_again = [](const Policy& policy) {
    SiteTuner tuner(4, 8, 1, IfShort::kLeaveAlone, SiteTuner::kShort, policy);
    tuner.settle_on({2, 8}, 1000);
    for (int i = 0; i < 1000; ++i) {
      const Choice choice = tuner.choose();
      tuner.record(choice, choice.candidate == 2 ? 1e6 : 0.97e6, 1000);
    }
    return tuner.explored_again();
  };
  EXPECT_GT(explored_again(kUsualPolicy), 0u);
  EXPECT_EQ(explored_again(kPolicyOnNodes), 0u);
}

TEST(TuneSite, OnSeveralNodesTheFirstExecutionCountsIfItIsTheOnlyOne) {
  SiteTuner tuner(4, 8, 1, IfShort::kLeaveAlone, SiteTuner::kShort, kPolicyOnNodes);
  tuner.record({0, 8}, 5000, 1000);
  EXPECT_EQ(tuner.phase(), Phase::kLeftAlone);
  EXPECT_EQ(tuner.total_ns(), 5000);
}

// The first execution of each schedule is charged when the second one has confirmed what it cost.
TEST(TuneSite, OnSeveralNodesAllThatTheRestHasLostIsCharged) {
  SiteTuner tuner(4, 8, 1, IfShort::kLeaveAlone, SiteTuner::kShort, kPolicyOnNodes);
  int tried = 0;
  for (int i = 0; i < 300; ++i) {
    const Choice choice = tuner.choose();
    const bool harms = choice.candidate != 0;
    tried += harms;
    tuner.record(choice, 100'000, 1000, {}, 0.3, {harms ? 150'000.0 : 100'000.0, 1});
  }
  EXPECT_GE(tried, 4);
  EXPECT_NEAR(tuner.charged_ns(), tried * 50'000, 1);
}

// An even loop has no schedules to try. Its data move when half the threads run it, and back.
TEST(TuneSite, OnSeveralNodesHalfTheThreadsArePaidForWithTheWayBack) {
  SiteTuner tuner(4, 8, 1, IfShort::kLeaveAlone, SiteTuner::kShort, kPolicyOnNodes);
  int before = 0;
  for (; tuner.choose().threads == 8 && before < 1000; ++before)
    tuner.record(tuner.choose(), 100'000, 1000);
  EXPECT_EQ(tuner.choose(), (Choice{0, 4}));
  EXPECT_NEAR(before, 2 / kPolicyOnNodes.budget, 3);
}

// What was executed beside another site's trial need not be the best: the turn may have been lost.
TEST(TuneSite, OnSeveralNodesTheDefaultCountsOnlyAfterTheDefault) {
  SiteTuner tuner(4, 8, 1, IfShort::kLeaveAlone, SiteTuner::kShort, kPolicyOnNodes);
  const Choice by_default{0, 8};
  const auto record = [&] { tuner.record(by_default, 100'000, 1000); };
  const auto looks = [&] {
    return tuner.widths().empty() ? 0 : tuner.widths()[0].estimate.count();
  };
  record();  // the warm-up
  tuner.live({2, 8}, 100'000, 1);
  record();
  EXPECT_EQ(looks(), 0u);
  record();
  EXPECT_EQ(looks(), 1u);
  tuner.live(by_default, 100'000, 1);
  record();
  EXPECT_EQ(looks(), 2u);
}

TEST(TuneSite, DoesNotGoOnFromWhatNoRunCanHaveLeft) {
  const Estimate some = of({5, 6, 7});
  const auto goes_on = [&](std::vector<SiteTuner::Tried> tried) {
    SiteTuner tuner(4, 8, 1);
    const bool goes = tuner.go_on_from(tried, some, 1000);
    for (int i = 0; i < 500; ++i) tuner.record(tuner.choose(), 1e6, 1000);
    EXPECT_EQ(tuner.phase(), Phase::kSettled);
    return goes;
  };
  EXPECT_FALSE(goes_on({}));
  EXPECT_FALSE(goes_on({{{0, 4}, some}}));                  // not all threads
  EXPECT_FALSE(goes_on({{{0, 8}, some}, {{1, 4}, some}}));  // a race without the base
  EXPECT_FALSE(goes_on({{{0, 8}, some}, {{1, 8}, some}, {{2, 4}, some}}));
  EXPECT_TRUE(goes_on({{{0, 8}, some}, {{0, 8}, some}, {{0, 7}, some}}));  // strange, but harmless
  const Estimate huge = Estimate::restored(1e308, {1e-300, 1.7e308}, UINT32_MAX);
  EXPECT_TRUE(goes_on({{{1, 8}, huge}, {{1, 4}, huge}, {{0, 8}, huge}, {{3, 8}, huge}}));
}

// A settled site; another one is half or twice as long.
SiteTuner settled_on(Choice choice) {
  SiteTuner tuner(4, 8, 1);
  tuner.settle_on(choice, 100);
  return tuner;
}

TEST(TuneSite, FewerThreadsGoToShorterLoopsOnly) {
  EXPECT_EQ(settled_on({2, 8}).found_for(-1)->choice, (Choice{2, 8}));
  EXPECT_EQ(settled_on({2, 8}).found_for(1)->choice, (Choice{2, 8}));
  EXPECT_EQ(settled_on({0, 4}).found_for(1)->choice, (Choice{0, 4}));
  EXPECT_FALSE(settled_on({0, 4}).found_for(-1));
}

TEST(TuneSite, OnlyWhatWasFoundIsHandedOn) {
  SiteTuner tuner(4, 8, 1);
  EXPECT_FALSE(tuner.found_for(1));
  tuner.leave_alone();
  EXPECT_FALSE(tuner.found_for(1));
  tuner.settle_on({1, 8}, 100);
  EXPECT_TRUE(tuner.found_for(1));
  tuner.record({1, 8}, 500 * 1000, 1000);
  ASSERT_TRUE(tuner.in_doubt());
  EXPECT_FALSE(tuner.found_for(1));
  Site other(4, 8, 1, [](Choice c) { return c.candidate == 1 ? 50.0 : 100.0; });
  other.tuner.begin_like(*settled_on({1, 8}).found_for(1));
  other.run(100);
  EXPECT_EQ(other.tuner.phase(), Phase::kSettled);
  EXPECT_FALSE(other.tuner.found_for(1));   // a choice is not passed on from one to the next
  SiteTuner restored = settled_on({1, 8});  // like another, in an earlier run
  restored.settle_as_like(-1);
  EXPECT_EQ(restored.like(), -1);
  EXPECT_FALSE(restored.found_for(1));
}

TEST(TuneSite, WhatIsRightForAnotherLengthIsOnlyComparedWithTheDefault) {
  for (const Choice choice : {Choice{2, 8}, Choice{2, 4}, Choice{0, 4}, Choice{0, 8}}) {
    std::set<std::pair<uint32_t, int>> tried;
    Site site(4, 8, 1, [&](Choice c) {
      tried.insert({c.candidate, c.threads});
      return c == choice ? 50.0 : 70.0;
    });
    site.tuner.begin_like(*settled_on(choice).found_for(1));
    EXPECT_EQ(site.tuner.choose(), choice);  // the first execution uses the other's choice too
    site.run(8);
    EXPECT_EQ(site.tuner.phase(), Phase::kSettled);
    EXPECT_EQ(site.tuner.like(), 1);
    EXPECT_EQ(site.tuner.best(), choice);
    EXPECT_NEAR(site.tuner.settled_cost(), 50, 5);  // its own cost
    EXPECT_EQ(tried.size(), choice == (Choice{0, 8}) ? 1u : 2u);
    EXPECT_GE(site.tuner.of_default().count(), 3u);
    EXPECT_EQ(site.tuner.tried().size(), tried.size());
    for (const SiteTuner::Tried& t : site.tuner.tried())
      EXPECT_TRUE(tried.contains({t.choice.candidate, t.choice.threads}));
    EXPECT_EQ(site.tuner.explored_again(), 0u);
  }
}

// A difference that is plain after two looks at each needs no third.
TEST(TuneSite, IsComparedInTurnsTheDefaultFirst) {
  const Choice by_default{0, 8}, other{2, 4};
  for (const auto& [cost, looks] : {std::pair{90.0, 3}, {110.0, 3}, {30.0, 2}, {300.0, 2}}) {
    std::vector<Choice> expected{other};  // the warm-up
    for (int i = 0; i < looks; ++i) expected.insert(expected.end(), {by_default, other});
    SiteTuner tuner(4, 8, 1);
    tuner.begin_like(*settled_on(other).found_for(1));
    std::vector<Choice> seen;
    while (tuner.phase() == Phase::kWarmUp || tuner.phase() == Phase::kLike) {
      seen.push_back(tuner.choose());
      const bool is_other = seen.back() == other;
      tuner.record(seen.back(), (is_other ? cost : 100) * 1000, 1000, {}, 0.4);  // and uneven
    }
    EXPECT_EQ(seen, expected) << cost;
    EXPECT_EQ(tuner.phase(), cost < 100 ? Phase::kSettled : Phase::kWidths);
    EXPECT_EQ(tuner.base(), 0u);
  }
}

TEST(TuneSite, WhatIsWrongForAnotherLengthIsExplored) {
  const auto cost = [](Choice c) {
    return (c.candidate == 3 ? 60.0 : c.candidate == 2 ? 99.0 : 100.0) * 8 / c.threads;
  };
  for (const Choice choice : {Choice{2, 8}, Choice{2, 4}, Choice{0, 4}}) {
    Site site(4, 8, 1, cost);
    site.tuner.begin_like(*settled_on(choice).found_for(1));
    site.run(200);
    EXPECT_EQ(site.tuner.phase(), Phase::kSettled);
    EXPECT_EQ(site.tuner.like(), 0);
    EXPECT_EQ(site.tuner.best(), (Choice{3, 8}));
  }
}

TEST(TuneSite, WhatCameSecondForAnotherLengthIsLookedAtAgain) {
  Site site(4, 8, 1, [](Choice c) { return c == Choice{3, 8} ? 60.0 : 100.0; });
  site.tuner.begin_like({{0, 8}, Choice{3, 8}, 1});
  site.run(5 * SiteTuner::kRecheck);
  EXPECT_EQ(site.tuner.best(), (Choice{3, 8}));
}

TEST(TuneSite, OneThatIsLikeALongerOneMayBeShort) {
  Site site(4, 8, 1, [](Choice) { return 0.5; });
  site.tuner.begin_like({{2, 8}, {}, 1});
  site.run(10);
  EXPECT_EQ(site.tuner.phase(), Phase::kLeftAlone);
  EXPECT_EQ(site.tuner.choose(), (Choice{0, 8}));
  EXPECT_EQ(site.tuner.like(), 0);
}

// A short taskloop for which one thread is best, as for a longer one; and one for which it is not.
TEST(TuneSite, ShortTaskloopsMayBeLikeOthers) {
  for (const double one : {0.2, 3.0}) {
    SiteTuner tuner(2, 8, 1, IfShort::kTryOneThread);
    tuner.begin_like({{0, 1}, {}, 1});
    for (int i = 0; i < 50; ++i) {
      const Choice choice = tuner.choose();
      tuner.record(choice, (choice.threads == 1 ? one : 1) * 1000, 1000);
    }
    EXPECT_EQ(tuner.choose(), (Choice{0, one < 1 ? 1 : 8}));
    EXPECT_EQ(tuner.phase(), one < 1 ? Phase::kSettled : Phase::kLeftAlone);
    EXPECT_EQ(tuner.is_short(), true);
  }
}

TEST(TuneSite, IsNotTriedForEverWhereNothingIsRecorded) {
  SiteTuner tuner(3, 8, 1);
  const auto record = [&](double ns) { tuner.record(tuner.choose(), ns, 1000); };
  for (int i = 0; i < 3; ++i) record(1e6);
  EXPECT_NE(tuner.choose(), (Choice{0, 8}));
  for (uint32_t i = 0; i < SiteTuner::kMostMissed; ++i) tuner.miss();
  EXPECT_EQ(tuner.choose(), (Choice{0, 8}));
  // When there is something to record again, it is recorded.
  for (uint32_t i = 0; i < SiteTuner::kOff; ++i) record(1e6);
  EXPECT_EQ(tuner.phase(), Phase::kWidths);
}

TEST(TuneSite, WhatCameSecondIsNotTriedForEverWhereNothingIsRecorded) {
  SiteTuner tuner(3, 8, 1);
  tuner.settle_on({2, 4}, 1000);
  while (tuner.choose() == Choice{2, 4}) tuner.record({2, 4}, 1e6, 1000);
  EXPECT_EQ(tuner.choose(), (Choice{0, 8}));
  tuner.miss();
  EXPECT_EQ(tuner.choose(), (Choice{2, 4}));
}

TEST(TuneSite, LeftAloneAsInAnEarlierRunUntilItGrows) {
  SiteTuner tuner(3, 8, 1);
  tuner.leave_alone();
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(tuner.choose(), (Choice{0, 8}));
    tuner.record(tuner.choose(), 1000, 1000);
  }
  EXPECT_EQ(tuner.phase(), Phase::kLeftAlone);
  for (uint32_t i = 0; i < SiteTuner::kOff; ++i)
    tuner.record(tuner.choose(), 3 * SiteTuner::kShort, 1000);
  EXPECT_EQ(tuner.phase(), Phase::kWidths);
}

// A site whose time and objective disagree.
struct Metered {
  Metered(uint32_t candidates, int most, std::function<double(Choice)> its_ns,
          std::function<double(Choice)> its_amount)
      : tuner(candidates, most, 1), ns(std::move(its_ns)), amount(std::move(its_amount)) {}
  void run(int times) {
    constexpr uint64_t kTrip = 1000;
    for (int i = 0; i < times; ++i) {
      const Choice choice = tuner.choose();
      tuner.record(choice, noise(ns(choice)) * kTrip, kTrip, noise(amount(choice)) * kTrip);
    }
  }
  SiteTuner tuner;
  std::function<double(Choice)> ns, amount;
  Noise noise{11};
};

TEST(TuneObjective, LeastEnergyMayBeFewerThreadsThanLeastTime) {
  const auto ns = [](Choice c) { return 100.0 * 8 / c.threads; };
  // Each thread that takes part costs energy, and the second candidate wastes it.
  const auto joules = [](Choice c) { return (c.candidate == 1 ? 3e-6 : 1e-6) * (2 + c.threads); };
  Metered by_energy(3, 8, ns, joules);
  by_energy.run(600);
  EXPECT_EQ(by_energy.tuner.phase(), Phase::kSettled);
  EXPECT_EQ(by_energy.tuner.best().threads, 1);
  EXPECT_NE(by_energy.tuner.best().candidate, 1);  // the other two are equal
  EXPECT_NEAR(by_energy.tuner.settled_cost(), 3e-6, 0.5e-6);
  Metered by_time(3, 8, ns, ns);
  by_time.run(600);
  EXPECT_EQ(by_time.tuner.best(), (Choice{0, 8}));
}

TEST(TuneObjective, AScheduleIsChosenForItEvenIfItTakesLonger) {
  Metered site(
      3, 4, [](Choice c) { return c.candidate == 2 ? 150.0 : 100.0; },
      [](Choice c) { return (c.candidate == 2 ? 5.0 : 9.0) * (5 - c.threads); });
  site.run(600);
  EXPECT_EQ(site.tuner.best(), (Choice{2, 4}));
}

TEST(TuneObjective, TryingIsChargedInTime) {
  // A choice that is tried takes twice the time and a thousandth more of the objective.
  Metered site(
      4, 2, [](Choice c) { return c == Choice{0, 2} ? 100.0 : 200.0; },
      [](Choice c) { return c == Choice{0, 2} ? 1e6 : 1.001e6; });
  for (int runs = 0; runs < 2000; runs += 50) {
    site.run(50);
    EXPECT_LE(site.tuner.charged_ns(),
              kUsualPolicy.budget * site.tuner.total_ns() + 1000 * 100 * 7);
  }
  EXPECT_LT(site.tuner.total_ns(), 2000 * 1000 * 200.0 * 2);
  // At least nine executions of schedules and three of a width, each 100 us longer than the best.
  EXPECT_GT(site.tuner.explored_ns(), 9 * 80'000);
  EXPECT_LT(site.tuner.explored_ns(), 0.05 * site.tuner.total_ns());
}

// A profile has the amount of the objective, not the time that it took.
TEST(TuneObjective, SecondThoughtsAreChargedInTimeOnceThatIsKnown) {
  constexpr uint64_t kTrip = 1000;
  const auto run = [](SiteTuner& tuner, Choice choice, double ns) {
    tuner.record(choice, ns * kTrip, kTrip, 1e-6 * kTrip);
  };
  const Choice best{0, 1}, by_default{0, 2};
  SiteTuner tuner(1, 2, 1);
  tuner.settle_on(best, 1e-6);
  for (uint32_t i = 0; i + 1 < SiteTuner::kRecheck; ++i) tuner.miss();
  ASSERT_EQ(tuner.choose(), by_default);
  run(tuner, by_default, 150);
  EXPECT_EQ(tuner.charged_ns(), 0);
  while (tuner.choose() == best) run(tuner, best, 100);
  run(tuner, by_default, 150);
  EXPECT_DOUBLE_EQ(tuner.charged_ns(), 50 * kTrip);
}

TEST(TuneObjective, WhatIsShortIsShortInTime) {
  const auto run = [](double ns, double amount, double short_ns) {
    SiteTuner tuner(3, 2, 1, IfShort::kLeaveAlone, short_ns);
    for (int i = 0; i < 50; ++i) tuner.record(tuner.choose(), ns, 10, amount);
    return tuner.phase();
  };
  EXPECT_EQ(run(1'000, 1e9, SiteTuner::kShort), Phase::kLeftAlone);
  EXPECT_EQ(run(100'000, 1, SiteTuner::kShort), Phase::kSettled);
  EXPECT_EQ(run(100'000, 1, 1e6), Phase::kLeftAlone);
}

TEST(TuneObjective, WhatNeverHappensIsNoReasonToChange) {
  Metered site(4, 8, [](Choice) { return 100.0; }, [](Choice) { return 0.0; });
  site.run(1000);
  EXPECT_EQ(site.tuner.phase(), Phase::kSettled);
  EXPECT_EQ(site.tuner.best(), (Choice{0, 8}));
  EXPECT_EQ(site.tuner.explored_again(), 0u);
}

TEST(TuneObjective, ExploresAgainWhenItChangesNotWhenTimeDoes) {
  double factor = 1, ns = 100;
  Metered site(
      2, 2, [&](Choice) { return ns; },
      [&](Choice c) { return factor * (c.candidate == 1 ? 5.0 : 9.0) * 2 / c.threads; });
  site.run(300);
  ns = 400;
  site.run(300);
  EXPECT_EQ(site.tuner.explored_again(), 0u);
  factor = 4;
  site.run(300);
  EXPECT_EQ(site.tuner.explored_again(), 1u);
  EXPECT_EQ(site.tuner.best(), (Choice{1, 2}));
}

}  // namespace
}  // namespace vicino::tune
