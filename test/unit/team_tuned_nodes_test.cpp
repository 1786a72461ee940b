// Loops on several nodes, by a clock of the test's own: one site's schedule makes another site slower, or
// it does not.
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "site/tuned_site.hpp"

namespace vicino::site {
namespace {

using tune::Choice;
constexpr int kThreads = 16;
constexpr Choice kStatic{0, kThreads};
constexpr uint64_t kTrip = 1000;
constexpr double kUs = 1000;

// A program that executes some loops one after the other, again and again.
class Program {
 public:
  // What an execution takes, by the last choices of all loops, its own included.
  using Cost = std::function<double(const std::vector<Choice>&)>;

  explicit Program(std::vector<Cost> costs)
      : costs_(std::move(costs)), last_(costs_.size(), kStatic) {
    for (size_t i = 0; i < costs_.size(); ++i) {
      calls_.push_back(std::make_unique<Site>(CallSite{&places_[i], nullptr}));
      loops_.push_back(std::make_unique<TunedLoop>(*calls_[i], key(), nullptr, std::nullopt));
    }
  }

  // Returns the time of all steps.
  double run(int steps) {
    const double start = now_;
    for (int step = 0; step < steps; ++step)
      for (size_t i = 0; i < loops_.size(); ++i) execute(i);
    return now_ - start;
  }
  void execute(size_t i) {
    TunedLoop& loop = *loops_[i];
    const TunedLoop::Generation generation{team, ++generation_};
    if (!loop.times(generation)) {
      last_[i] = kStatic;
      now_ += costs_[i](last_);
    } else {
      bool asks_idle = false;
      const tune::Begun begun = loop.begin(generation, static_cast<uint64_t>(now_), asks_idle);
      last_[i] = begun.choice;
      const double ns = costs_[i](last_);
      now_ += ns;
      most_tried_ = std::max(most_tried_, tried_at_once());
      if (abandons())
        loop.abandon(begun);
      else
        loop.record(generation, begun, tune::Taken{ns, kTrip, {}, asks_idle ? idle : 0},
                    static_cast<uint64_t>(now_));
    }
    now_ += rest();
  }

  Choice best(size_t i) {
    Choice choice;
    loops_[i]->look([&](const tune::SiteTuner& tuner) { choice = tuner.best(); });
    return choice;
  }
  tune::Phase phase(size_t i) {
    tune::Phase phase{};
    loops_[i]->look([&](const tune::SiteTuner& tuner) { phase = tuner.phase(); });
    return phase;
  }
  bool in_doubt(size_t i) {
    bool in_doubt = false;
    loops_[i]->look([&](const tune::SiteTuner& tuner) { in_doubt = tuner.in_doubt(); });
    return in_doubt;
  }
  // How many loops have run with something else than their best at one time.
  int most_tried() const { return most_tried_; }

  Choice last(size_t i) const { return last_[i]; }

  uint64_t team = 1;
  double idle = 0.3;                                  // of all loops
  std::function<double()> rest = [] { return 0.0; };  // between loops
  // Asked when a timed execution has ended: whether nobody records it.
  std::function<bool()> abandons = [] { return false; };

 private:
  static SiteKey key() { return SiteKey::of_loop(SiteKey::Kind::kLoop, kThreads, kTrip, true); }
  int tried_at_once() {
    int tried = 0;
    for (size_t i = 0; i < loops_.size(); ++i) tried += last_[i] != best(i);
    return tried;
  }

  std::vector<Cost> costs_;
  std::vector<Choice> last_;
  const char places_[8] = {};
  std::vector<std::unique_ptr<Site>> calls_;
  std::vector<std::unique_ptr<TunedLoop>> loops_;
  uint64_t generation_ = 0;
  double now_ = 0;
  int most_tried_ = 0;
};

bool is_static(Choice choice) { return choice.candidate == 0; }
// Fewer threads take longer in proportion.
double by_threads(Choice choice, double us) { return us * kUs * kThreads / choice.threads; }

// The first loop is faster with any other schedule, but leaves the data where the second one, which
// reads them, does not want them.
std::vector<Program::Cost> that_share() {
  return {[](const auto& last) { return by_threads(last[0], is_static(last[0]) ? 100 : 85); },
          [](const auto& last) {
            return by_threads(last[1],
                              (is_static(last[1]) ? 100 : 120) + (is_static(last[0]) ? 0 : 40));
          }};
}
std::vector<Program::Cost> that_do_not_share() {
  return {[](const auto& last) { return by_threads(last[0], is_static(last[0]) ? 100 : 60); },
          [](const auto& last) { return by_threads(last[1], is_static(last[1]) ? 100 : 120); }};
}

TEST(TunedOnNodes, AScheduleThatSlowsTheNextLoopIsNotTaken) {
  Program program(that_share());
  const double took = program.run(400);
  EXPECT_EQ(program.best(0), kStatic);
  EXPECT_EQ(program.best(1), kStatic);
  EXPECT_EQ(program.phase(0), tune::Phase::kSettled);
  EXPECT_EQ(program.phase(1), tune::Phase::kSettled);
  EXPECT_LT(took, 1.03 * 400 * 200 * kUs);
}

TEST(TunedOnNodes, TheFirstHundredExecutionsLoseLittle) {
  EXPECT_LT(Program(that_share()).run(100), 1.03 * 100 * 200 * kUs);
}

TEST(TunedOnNodes, AScheduleThatHarmsNobodyIsTaken) {
  Program program(that_do_not_share());
  program.run(400);
  EXPECT_NE(program.best(0).candidate, 0u);
  EXPECT_EQ(program.best(0).threads, kThreads);
  EXPECT_EQ(program.best(1), kStatic);
  EXPECT_LT(program.run(100), 1.02 * 100 * 160 * kUs);
}

TEST(TunedOnNodes, OneLoopAtATimeTries) {
  for (const auto& costs : {that_share(), that_do_not_share()}) {
    Program program(costs);
    program.run(400);
    EXPECT_EQ(program.most_tried(), 1);
  }
}

// What lies between two executions tells nothing then.
TEST(TunedOnNodes, WhereTheRestVariesALoopGoesByItsOwnTime) {
  Program program(that_do_not_share());
  std::mt19937 random(5);
  program.rest = [&] { return std::exponential_distribution(1 / (300 * kUs))(random); };
  program.run(600);
  EXPECT_NE(program.best(0).candidate, 0u);
}

// It neither drops a schedule nor uses up what may be spent on trials.
TEST(TunedOnNodes, OneDisturbedSampleOfTheRestDecidesNothing) {
  Program program(that_do_not_share());
  int trials = 0;
  program.rest = [&] {
    const bool tries = !is_static(program.last(0));
    return tries && trials++ == 0 ? 100'000 * kUs : 0;
  };
  program.run(400);
  EXPECT_GT(trials, 100);
  EXPECT_NE(program.best(0).candidate, 0u);
}

// Its look would disturb what the other one measures.
TEST(TunedOnNodes, ASettledLoopLooksAgainOnlyIfNoOtherLoopTries) {
  auto costs = that_do_not_share();
  costs.push_back([](const auto& last) { return by_threads(last[2], 100); });
  Program program(costs);
  for (int i = 0; i < 1000; ++i) program.execute(0);
  ASSERT_EQ(program.phase(0), tune::Phase::kSettled);
  ASSERT_FALSE(is_static(program.best(0)));
  int looks = 0;
  const auto execute = [&] {
    for (int i = 0; i < 300; ++i) {
      program.execute(0);
      looks += is_static(program.last(0));
    }
  };
  execute();
  EXPECT_GT(looks, 0);
  looks = 0;
  for (int i = 0; i < 100 && program.phase(2) != tune::Phase::kSchedules; ++i) program.execute(2);
  ASSERT_EQ(program.phase(2), tune::Phase::kSchedules);
  execute();
  EXPECT_EQ(looks, 0);
}

// Of a new loop. One in sixteen is timed before it has the turn, and it takes the turn away from
// another loop only after Turn::kMostRefused of these.
int executions_before_trial(Program& program, size_t i) {
  int executions = 0;
  do program.execute(i);
  while (is_static(program.last(i)) && ++executions < 1000);
  return executions;
}

// Whether the settled loop is in doubt after its look depends on the execution before that.
TEST(TunedOnNodes, ALoopThatIsInDoubtWhenItLooksPassesTheTurn) {
  bool slow = false;
  auto costs = that_do_not_share();
  costs[0] = [&](const auto& last) {
    return by_threads(last[0], (is_static(last[0]) ? 100 : 60) * (slow ? 2 : 1));
  };
  costs.push_back(
      [](const auto& last) { return by_threads(last[2], is_static(last[2]) ? 100 : 60); });
  Program program(costs);
  for (int i = 0; i < 1000; ++i) program.execute(0);
  ASSERT_EQ(program.phase(0), tune::Phase::kSettled);
  ASSERT_FALSE(is_static(program.best(0)));
  const auto looks_in_doubt = [&] {
    slow = !slow;
    program.execute(0);
    if (!is_static(program.last(0))) return false;
    if (!program.in_doubt(0)) slow = !slow;  // so that the next look comes after a slow one
    return program.in_doubt(0);
  };
  bool looked = false;
  for (int i = 0; i < 1000 && !looked; ++i) looked = looks_in_doubt();
  ASSERT_TRUE(looked);
  ASSERT_EQ(program.phase(0), tune::Phase::kSettled);
  EXPECT_LT(executions_before_trial(program, 2), 100);
}

// The region was cancelled, or its team has gone on to other loops.
TEST(TunedOnNodes, ALookThatIsAbandonedPassesTheTurn) {
  auto costs = that_do_not_share();
  costs.push_back(
      [](const auto& last) { return by_threads(last[2], is_static(last[2]) ? 100 : 60); });
  Program program(costs);
  for (int i = 0; i < 1000; ++i) program.execute(0);
  ASSERT_FALSE(is_static(program.best(0)));
  bool looked = false;
  for (int i = 0; i < 300 && !looked; ++i) {
    program.abandons = [&] { return is_static(program.last(0)); };
    program.execute(0);
    looked = is_static(program.last(0));
  }
  ASSERT_TRUE(looked);
  program.abandons = [] { return false; };
  EXPECT_LT(executions_before_trial(program, 2), 100);
}

// The last execution of the team has not been told to the tuner when the next team comes.
TEST(TunedOnNodes, ATeamThatIsGoneDoesNotKeepTheLoopFromBeingTimed) {
  Program program(that_do_not_share());
  // A loop of another test, in this process, may have left without passing the turn.
  for (int i = 0; i < 1000 && program.phase(0) != tune::Phase::kSchedules; ++i) program.execute(0);
  ASSERT_EQ(program.phase(0), tune::Phase::kSchedules);
  program.team = 2;
  for (int i = 0; i < 400; ++i) program.execute(0);
  EXPECT_EQ(program.phase(0), tune::Phase::kSettled);
  EXPECT_NE(program.best(0).candidate, 0u);
}

TEST(TunedOnNodes, OfAnEvenLoopNoScheduleIsTried) {
  Program program(that_do_not_share());
  program.idle = 0.01;
  program.run(400);
  EXPECT_EQ(program.best(0), kStatic);
}

// Its times are not worth the trial before enough executions.
TEST(TunedOnNodes, FewerThreadsAreTriedOnceTheyArePaidFor) {
  const auto fewer = [](const auto& last) {
    return last[0].threads == kThreads / 2 ? 50 * kUs : 100 * kUs;
  };
  Program program({fewer});
  program.idle = 0;
  program.run(60);
  EXPECT_EQ(program.best(0), kStatic);
  program.run(100);
  EXPECT_EQ(program.best(0), (Choice{0, kThreads / 2}));
}

TEST(TunedOnNodes, ALoopThatIsExecutedNoMoreDoesNotKeepItsTurn) {
  Program program(that_do_not_share());
  for (int i = 0; i < 100 && program.phase(1) != tune::Phase::kSchedules; ++i) program.execute(1);
  EXPECT_EQ(program.phase(1), tune::Phase::kSchedules);
  for (int i = 0; i < 1000; ++i) program.execute(0);
  EXPECT_NE(program.best(0).candidate, 0u);
}

}  // namespace
}  // namespace vicino::site
