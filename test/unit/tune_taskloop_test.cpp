// ILAN's whole choice on a recorded machine with eight nodes, with a simulated clock that charges
// for remote data and for crowded memory. The threads, node mask and steal policy are the best ones
// by that clock.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "task/member_row.hpp"
#include "task/split.hpp"
#include "tasking/crew.hpp"
#include "topo/machine.hpp"
#include "tune/domain_times.hpp"
#include "tune/site_tuner.hpp"

namespace vicino::tune {
namespace {

constexpr int kThreads = 64, kNodes = 8, kPerNode = 8;
constexpr uint64_t kTrip = 64'000, kUnits = tasking::kTasksPerThread * tasking::kUnitsPerTask;
enum Policy : uint32_t { kStrict, kFull };

const topo::Machine& machine() {
  static const auto read =
      topo::Machine::from_xml(std::string(VICINO_MACHINES) + "/epyc-9354-2x32-nps4.xml");
  return *read;
}

// The time of an iteration in ns, by the node that runs it and the other threads at work.
struct Clock {
  double compute = 100;
  double remote = 0;  // additional time for each 10 of distance beyond a node's own
  double crowd = 0;   // additional part of `compute` for each other thread at work
  std::vector<double> speed = std::vector<double>(kNodes, 1.0);  // the speed of a node's threads
  std::function<double(uint64_t)> weight = [](uint64_t) { return 1.0; };

  // The time where a static loop has touched the data first.
  double of(int node, uint64_t iteration, int threads) const {
    const int home = static_cast<int>(iteration * kNodes / kTrip);
    const double far = (machine().distance(node, home) - 10.0) / 10.0;
    const double crowded = compute * (1 + crowd * (threads - 1));
    return (crowded / speed[static_cast<size_t>(node)] + remote * far) * weight(iteration);
  }
};

struct Run {
  double ns;
  std::vector<double> of_node;  // by node, the time of one of its iterations; 0: not in the crew
  std::vector<int> mask;
};

// The crew's threads take tasks as in tasking/ilan.cpp; the first free thread takes the next one.
Run run(const Clock& clock, Choice choice, int first_node) {
  std::vector<int> node_of;
  for (int i = 0; i < kThreads; ++i) node_of.push_back(i / kPerNode);
  const std::vector<int> core_of(kThreads, -1);
  const auto parts = tasking::crew_of({node_of, core_of},
                                      tasking::tier_each(machine().nodes_nearest_first(first_node)),
                                      choice.threads, 0);
  struct Thread {
    double time = 0;
    size_t row;
  };
  const auto plan = tasking::crew_rows(parts, kTrip, kUnits);
  std::vector<task::MemberRow> rows(plan.size());
  std::vector<Thread> crew;
  Run result{0, std::vector<double>(kNodes), {}};
  std::vector<double> iterations(kNodes);
  for (const auto& part : parts) result.mask.push_back(part.domain);
  for (const auto& row : plan) {
    rows[crew.size()].fill(row.units, row.strict, row.at_once);
    iterations[static_cast<size_t>(row.domain)] += static_cast<double>(row.iterations.size());
    crew.push_back({.row = crew.size()});
  }
  EXPECT_EQ(plan.back().iterations.end, kTrip);

  struct Found {
    loop::Range units;
    size_t row;
  };
  const auto next_for = [&](size_t own) -> Found {
    if (const auto units = rows[own].take(); !units.empty()) return {units, own};
    for (const int node : machine().nodes_nearest_first(plan[own].domain)) {
      const bool near = node == plan[own].domain;
      for (size_t i = 1; i <= rows.size() && (near || choice.candidate == kFull); ++i) {
        const size_t row = (own + i) % rows.size();
        if (plan[row].domain != node) continue;
        const auto units = near ? rows[row].take_near() : rows[row].take_far();
        if (!units.empty()) return {units, row};
      }
    }
    return {{}, own};
  };
  while (!crew.empty()) {
    auto free = std::ranges::min_element(crew, {}, &Thread::time);
    const auto [units, of] = next_for(free->row);
    if (units.empty()) {
      crew.erase(free);
      continue;
    }
    const loop::Range block = plan[of].iterations;
    const task::Split split(block.size(), {task::Grain::kNone, plan[of].units, false});
    const uint64_t begin = split.range(units.begin).begin, end = split.range(units.end - 1).end;
    for (uint64_t i = block.begin + begin; i < block.begin + end; ++i)
      free->time += clock.of(plan[free->row].domain, i, choice.threads);
    auto& own = result.of_node[static_cast<size_t>(plan[of].domain)];
    own = std::max(own, free->time);
    result.ns = std::max(result.ns, free->time);
  }
  for (size_t node = 0; node < kNodes; ++node)
    if (iterations[node] > 0) result.of_node[node] /= iterations[node];
  return result;
}

struct Settled {
  Choice choice;
  int fastest;
  Run run;
};

Settled settle(const Clock& clock) {
  SiteTuner tuner(2, kThreads, kPerNode, IfShort::kTryOneThread);
  DomainTimes times;
  for (int i = 0; i < 100 && tuner.phase() != Phase::kSettled; ++i) {
    const Choice choice = tuner.choose();
    const bool warm_up = tuner.phase() == Phase::kWarmUp;
    const Run done = run(clock, choice, std::max(times.first(), 0));
    std::vector<DomainTimes::Time> nodes;
    if (choice == Choice{kStrict, kThreads})
      for (int node = 0; node < kNodes; ++node)
        nodes.push_back({node, done.of_node[static_cast<size_t>(node)]});
    tuner.record(choice, done.ns, kTrip);
    EXPECT_FALSE(times.record({warm_up, choice.threads < kThreads, nodes}));
  }
  EXPECT_EQ(tuner.phase(), Phase::kSettled);
  const int fastest = times.first();
  return {tuner.best(), fastest, run(clock, tuner.best(), fastest)};
}

// The least time with one thread, or with any number of nodes and either policy, from this node on.
double least(const Clock& clock, int first_node) {
  double best = run(clock, {kStrict, 1}, first_node).ns;
  for (int threads = kPerNode; threads <= kThreads; threads += kPerNode)
    for (const uint32_t policy : {kStrict, kFull})
      best = std::min(best, run(clock, {policy, threads}, first_node).ns);
  return best;
}

void expect_best(const Clock& clock, const Settled& settled) {
  EXPECT_LE(settled.run.ns, least(clock, settled.fastest) * (1 + kUsualPolicy.worth) + 1)
      << settled.choice.threads << " threads, policy " << settled.choice.candidate;
}

TEST(TuneTaskloop, WorkThatScalesHasAllThreads) {
  const Clock clock;
  const Settled settled = settle(clock);
  EXPECT_EQ(settled.choice, (Choice{kStrict, kThreads}));
  expect_best(clock, settled);
}

TEST(TuneTaskloop, CrowdedMemoryHasFewer) {
  // The time is proportional to 1/n + crowd (1 - 1/n): from crowd = 1 on it grows with n, and with
  // remote data the best n lies in between.
  const Clock crowded{.crowd = 1.5};
  EXPECT_EQ(settle(crowded).choice.threads, 1);
  expect_best(crowded, settle(crowded));
  for (const double remote : {20.0, 60.0, 200.0, 600.0}) {
    const Clock clock{.remote = remote, .crowd = 0.01};
    expect_best(clock, settle(clock));
  }
}

TEST(TuneTaskloop, TheMaskBeginsAtTheFastestNode) {
  for (const int fast : {0, 3, 5, 7}) {
    Clock clock{.crowd = 1.5};
    clock.speed[static_cast<size_t>(fast)] = 1.3;
    const Settled settled = settle(clock);
    EXPECT_EQ(settled.fastest, fast);
    EXPECT_EQ(settled.run.mask, std::vector{fast});
  }
}

TEST(TuneTaskloop, ForgetsWhatItMeasuredWithFewerThreads) {
  SiteTuner tuner(2, kThreads, kPerNode, IfShort::kTryOneThread);
  const auto step = [&] {
    const Choice choice = tuner.choose();
    tuner.record(choice, choice.threads == kThreads ? 1e6 : 4e5, kTrip);
  };
  while (tuner.phase() != Phase::kSettled) step();
  EXPECT_LT(tuner.best().threads, kThreads);
  while (!tuner.forget_fewer_threads()) step();  // until the budget allows it
  EXPECT_EQ(tuner.explored_again(), 1u);
  EXPECT_TRUE(tuner.widths().empty());
  EXPECT_EQ(tuner.choose(), (Choice{kStrict, kThreads}));
  while (tuner.phase() != Phase::kSettled) step();
  EXPECT_LT(tuner.best().threads, kThreads);
  EXPECT_LE(tuner.charged_ns(), kUsualPolicy.budget * tuner.total_ns() + 10e6);
  tuner.leave_alone();
  EXPECT_FALSE(tuner.forget_fewer_threads());
}

TEST(TuneTaskloop, FullStealingWhereImbalancePaysForIt) {
  const auto last_eighth = [](double more) {
    return [more](uint64_t i) { return i >= kTrip / 8 * 7 ? more : 1.0; };
  };
  bool was_strict = false, was_full = false;
  for (const double remote : {5.0, 100.0, 400.0, 1000.0})
    for (const double more : {1.0, 1.2, 2.0, 4.0}) {
      const Clock clock{.remote = remote, .weight = last_eighth(more)};
      const Settled settled = settle(clock);
      const double strict = run(clock, {kStrict, settled.choice.threads}, settled.fastest).ns;
      const double full = run(clock, {kFull, settled.choice.threads}, settled.fastest).ns;
      const bool pays = full < (1 - kUsualPolicy.worth) * strict;
      EXPECT_EQ(settled.choice.candidate, pays ? kFull : kStrict)
          << "remote " << remote << ", " << more << " times the work: " << strict << ", " << full;
      (pays ? was_full : was_strict) = true;
    }
  EXPECT_TRUE(was_strict);
  EXPECT_TRUE(was_full);
}

// On cache groups. Fewer threads are spread over all groups first; whether whole groups are better is tried
// where fewer threads win, and where it makes a difference.
TEST(TuneTaskloop, ComparesWholeGroupsWhereSomeThreadsAreLeftOut) {
  constexpr uint32_t kGroups = 2;  // and the one after it
  for (const int best : {1, 16, kThreads})
    for (const double of_groups : {0.7, 1.4}) {
      SiteTuner tuner(4, kThreads, kPerNode, IfShort::kTryOneThread);
      std::set<int> in_groups;
      for (int i = 0; i < 200 && tuner.phase() != Phase::kSettled; ++i) {
        const Choice choice = tuner.choose();
        if (choice.candidate >= kGroups) in_groups.insert(choice.threads);
        const double off = std::abs(std::log2(static_cast<double>(choice.threads) / best));
        tuner.record(choice, 1e6 * (1 + off) * (choice.candidate == kGroups ? of_groups : 1),
                     kTrip);
      }
      ASSERT_EQ(tuner.phase(), Phase::kSettled);
      const bool differs = 1 < best && best < kThreads;
      EXPECT_EQ(in_groups, differs ? std::set{best} : std::set<int>()) << best;
      EXPECT_EQ(tuner.best(), (Choice{differs && of_groups < 1 ? kGroups : kStrict, best}));
    }
}

TEST(TuneTaskloop, IgnoresWhatBeganBeforeItIsExploredAgain) {
  SiteTuner tuner(2, kThreads, kPerNode, IfShort::kTryOneThread);
  const auto cost = [](Choice choice) { return choice.threads == kThreads ? 1e6 : 4e5; };
  while (tuner.phase() != Phase::kSettled) {
    const Choice choice = tuner.choose();
    tuner.record(choice, cost(choice), kTrip);
  }
  const Choice before = tuner.best();
  EXPECT_LT(before.threads, kThreads);
  while (tuner.phase() == Phase::kSettled) tuner.record(before, 8 * cost(before), kTrip);
  tuner.record(before, 8 * cost(before), kTrip);
  EXPECT_EQ(tuner.choose(), (Choice{kStrict, kThreads}));
  EXPECT_TRUE(tuner.widths().empty());
}

// Executes a taskloop whose time depends on the number of threads as in `ns`.
Phase phase_after(SiteTuner& tuner, int executions, const std::function<double(int)>& ns,
                  std::set<int>* tried = nullptr) {
  for (int i = 0; i < executions; ++i) {
    const Choice choice = tuner.choose();
    if (tried != nullptr) tried->insert(choice.threads);
    tuner.record(choice, ns(choice.threads), kTrip);
  }
  return tuner.phase();
}

TEST(TuneTaskloop, ShortOnesHaveAllThreadsOrOne) {
  for (const bool one_is_best : {true, false}) {
    const auto ns = [=](int threads) { return (threads == 1) == one_is_best ? 500.0 : 3000.0; };
    SiteTuner tuner(2, kThreads, kPerNode, IfShort::kTryOneThread);
    std::set<int> tried;
    EXPECT_EQ(phase_after(tuner, 100, ns, &tried),
              one_is_best ? Phase::kSettled : Phase::kLeftAlone);
    EXPECT_EQ(tried, (std::set{1, kThreads}));
    EXPECT_EQ(tuner.choose(), (Choice{kStrict, one_is_best ? 1 : kThreads}));
  }
}

// A taskloop of 1 ms, and a counter whose steps hide anything shorter than 10 ms.
TEST(TuneTaskloop, OnesShortForTheCounterAreLeftAlone) {
  SiteTuner tuner(2, kThreads, kPerNode, IfShort::kTryOneThread, 1e7);
  for (int i = 0; i < 100; ++i) {
    const Choice choice = tuner.choose();
    EXPECT_EQ(choice.threads, kThreads);
    tuner.record(choice, 1e6, kTrip, choice.threads == 1 ? 0.0 : 60.0);
  }
  EXPECT_EQ(tuner.phase(), Phase::kLeftAlone);
}

// An earlier run's cost is in units of the objective; a site is short by its time.
TEST(TuneTaskloop, ARememberedOneIsShortByItsTime) {
  for (const double ns : {5e3, 5e6}) {
    SiteTuner tuner(2, kThreads, kPerNode, IfShort::kTryOneThread);
    tuner.settle_on({0, 1}, 1e6, ns);
    EXPECT_EQ(tuner.is_short(), ns < SiteTuner::kShort);
  }
}

TEST(TuneTaskloop, OneThatTurnsOutShortHasNothingBetweenEither) {
  SiteTuner tuner(1, kThreads, kPerNode, IfShort::kTryOneThread);
  int executions = 0;
  std::set<int> tried;
  const auto ns = [&](int) { return ++executions < 4 ? 12'000.0 : 9'000.0; };
  phase_after(tuner, 100, ns, &tried);
  EXPECT_EQ(tuner.phase(), Phase::kLeftAlone);
  EXPECT_EQ(tuner.widths().size(), 2u);
  EXPECT_TRUE(tried.contains(kThreads / 2));  // before it was known to be short
}

// A region that its primary thread may run alone: no number between one and all is tried.
TEST(TuneRegion, HasAllThreadsOrOne) {
  for (const double scale : {1.0, 100.0})
    for (const bool alone_is_best : {true, false}) {
      SiteTuner tuner(1, kThreads, kPerNode, IfShort::kOrLongTryOneThread);
      std::set<int> tried;
      const auto ns = [&](int threads) {
        return scale * ((threads == 1) == alone_is_best ? 2e3 : 4e3);
      };
      phase_after(tuner, 100, ns, &tried);
      EXPECT_EQ(tried, (std::set{1, kThreads}));
      EXPECT_EQ(tuner.best().threads, alone_is_best ? 1 : kThreads);
    }
}

// Few executions of a settled site are looked at, until one of them is odd.
TEST(TuneTaskloop, AShortOneThatGrowsIsNotShortAnyMore) {
  SiteTuner tuner(1, kThreads, kPerNode, IfShort::kTryOneThread);
  phase_after(tuner, 100, [](int threads) { return threads == 1 ? 500.0 : 3000.0; });
  EXPECT_TRUE(tuner.is_short());
  EXPECT_FALSE(tuner.in_doubt());
  const auto grown = [](int threads) { return 1e6 / threads; };
  phase_after(tuner, 1, grown);
  EXPECT_TRUE(tuner.in_doubt());
  phase_after(tuner, 100, grown);
  EXPECT_FALSE(tuner.is_short());
  EXPECT_EQ(tuner.best().threads, kThreads);
}

// A neighbour held half of the cores while the site was explored.
TEST(TuneTaskloop, SecondThoughtsAboutWhatWasMeasuredInBadTimes) {
  for (const IfShort if_short : {IfShort::kTryOneThread, IfShort::kLeaveAlone}) {
    SiteTuner tuner(2, 2, 1, if_short);
    bool disturbed = true;
    const auto cost = [&](Choice choice) {
      return choice.threads == 2 ? (disturbed ? 1.2e5 : 6e4) : 1e5;
    };
    const auto step = [&] {
      const Choice choice = tuner.choose();
      tuner.record(choice, cost(choice), kTrip);
    };
    while (tuner.phase() != Phase::kSettled) step();
    EXPECT_EQ(tuner.best().threads, 1);
    disturbed = false;
    uint32_t steps = 0;
    while (tuner.best().threads == 1 && steps < 10 * SiteTuner::kRecheck) step(), ++steps;
    EXPECT_LE(steps, (SiteTuner::kLooks + 1) * SiteTuner::kRecheck);
    while (tuner.phase() != Phase::kSettled) step();
    EXPECT_EQ(tuner.best().threads, 2);
  }
}

TEST(TuneTaskloop, SecondThoughtsStayWithinTheBudget) {
  SiteTuner tuner(1, 2, 1, IfShort::kTryOneThread);
  double total = 0, best = 0;
  for (int i = 0; i < 100'000; ++i) {
    const Choice choice = tuner.choose();
    const double cost = choice.threads == 1 ? 2e4 : 1e6;
    tuner.record(choice, cost, kTrip);
    total += cost;
    best += 2e4;
  }
  EXPECT_EQ(tuner.explored_again(), 0u);
  EXPECT_LT(total, best * (1 + kUsualPolicy.budget) + 10e6);
}

}  // namespace
}  // namespace vicino::tune
