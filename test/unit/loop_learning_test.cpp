// Schedules remember a call site's times and derive their parameters from them. The test invents
// the times.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

#include "loop/registry.hpp"
#include "loop/schedulers.hpp"

namespace vicino::loop {
namespace {

struct Memory {
  explicit Memory(std::size_t count)
      : words(std::make_unique<plat::atomic<uint64_t>[]>(count)), size(count) {}
  History all() { return {words.get(), size}; }
  std::unique_ptr<plat::atomic<uint64_t>[]> words;
  std::size_t size;
};

// A thread of a mixed loop: the time that its whole share would take, and its delay.
struct Pace {
  double whole, late = 0;
};

// The time when all threads end, except threads whose static parts take longer. The rest of the
// loop is dealt out so finely that the others end together.
double end_of_rest(double f, const std::vector<Pace>& threads) {
  const auto done_by = [&](double time) {
    double shares = 0;
    for (const auto& [whole, late] : threads) shares += std::max(f, (time - late) / whole);
    return shares;
  };
  double low = 0, high = 1e12;
  for (int i = 0; i < 100; ++i) {
    const double middle = (low + high) / 2;
    (done_by(middle) < static_cast<double>(threads.size()) ? low : high) = middle;
  }
  return high;
}

void execute(Memory& memory, double setting, const std::vector<Pace>& threads) {
  constexpr uint64_t kBegin = 7;
  const double f = StaticFraction::choose(memory.all(), setting, kBegin);
  const double rest = end_of_rest(f, threads);
  for (const auto& [whole, late] : threads) {
    const double end = f * whole + late;
    StaticFraction::ended_static(memory.all(), kBegin, kBegin + static_cast<uint64_t>(end));
    StaticFraction::finished(memory.all(), kBegin,
                             kBegin + static_cast<uint64_t>(std::max(end, rest)));
  }
}

double fraction_after(int executions, double setting, const std::vector<Pace>& threads) {
  Memory memory(StaticFraction::kWords);
  for (int i = 0; i < executions; ++i) execute(memory, setting, threads);
  return StaticFraction::predicted(memory.all(), setting);
}

TEST(StaticFraction, IsWhatWasSet) {
  EXPECT_EQ(StaticFraction::choose({}, 0.75, 1), 0.75);
  EXPECT_EQ(StaticFraction::predicted({}, 0.75), 0.75);
}

TEST(StaticFraction, IsAHalfBeforeAnythingIsKnown) {
  Memory memory(StaticFraction::kWords);
  for (const double setting : {StaticFraction::kModel, StaticFraction::kPrevious,
                               StaticFraction::kSweep, StaticFraction::kSlack}) {
    EXPECT_EQ(StaticFraction::predicted({}, setting), 0.5);
    EXPECT_EQ(StaticFraction::choose({}, setting, 1), 0.5);
  }
  EXPECT_EQ(StaticFraction::predicted(memory.all(), StaticFraction::kModel), 0.5);
  EXPECT_EQ(StaticFraction::predicted(memory.all(), StaticFraction::kPrevious), 0.5);
}

TEST(StaticFraction, GrowsToAllWhereThreadsAreAlike) {
  EXPECT_NEAR(fraction_after(80, StaticFraction::kModel, {{1e6}, {1e6}, {1e6}}), 1, 0.01);
  EXPECT_NEAR(fraction_after(80, StaticFraction::kPrevious, {{1e6}, {1e6}, {1e6}}), 1, 0.01);
}

// One of two threads takes twice as long: all could end after 4/3.
TEST(StaticFraction, ASlowThreadsStaticPartEndsWithTheLoop) {
  EXPECT_NEAR(fraction_after(200, StaticFraction::kModel, {{2e6}, {1e6}}), 2.0 / 3, 0.01);
  EXPECT_NEAR(fraction_after(200, StaticFraction::kPrevious, {{2e6}, {1e6}}), 2.0 / 3, 0.01);
}

// The paper's bound: delta is 1/2 of T_p for one of two threads, and 1/4 on average.
TEST(StaticFraction, MakesRoomForOneLateThread) {
  EXPECT_NEAR(fraction_after(200, StaticFraction::kModel, {{1e6, 5e5}, {1e6}}), 3.0 / 4, 0.01);
}

// Static parts that take equal time need not stay equal: the loop's first half has ten times the
// work of the second, and with f <= 1/2 both parts are in it. With f = 0.55 the first part is half
// of all work.
TEST(StaticFraction, IsNotLedAstrayByPartsThatAreEqual) {
  Memory memory(StaticFraction::kWords);
  const auto work_up_to = [](double part) {
    return 1e6 * (part < 0.5 ? part : 0.5 + (part - 0.5) / 10);
  };
  for (int i = 0; i < 200; ++i) {
    const double f = StaticFraction::choose(memory.all(), StaticFraction::kModel, 0);
    const double first = work_up_to(f / 2), second = work_up_to(f) - first;
    const double half = work_up_to(1) / 2;
    for (const double mine : {first, second}) {
      StaticFraction::ended_static(memory.all(), 0, static_cast<uint64_t>(mine));
      const double other = work_up_to(1) - std::max(first, half);
      StaticFraction::finished(
          memory.all(), 0, static_cast<uint64_t>(mine == first ? std::max(first, half) : other));
    }
  }
  EXPECT_NEAR(StaticFraction::predicted(memory.all(), StaticFraction::kModel), 0.55, 0.01);
}

// Slack: the same, in a plan, which tells how many threads there are.
class WithSlack : public testing::Test {
 protected:
  // All threads take 1e6 ns for their whole share, so T_p is 1e6.
  void execute(uint32_t threads = 4) {
    Plan plan;
    plan.trip = 1000;
    plan.members = threads;
    plan.values[0] = StaticFraction::kSlack;
    plan.history = memory_.all();
    const double f = StaticFraction::begin(plan);
    EXPECT_EQ(f, expected_);
    const uint64_t began = StaticFraction::began(memory_.all());
    for (uint32_t thread = 0; thread < threads; ++thread) {
      StaticFraction::ended_static(memory_.all(), began, began + static_cast<uint64_t>(f * kWhole));
      StaticFraction::finished(memory_.all(), began, began + kWhole);
    }
    expect();
  }
  void wait(double ns) {
    StaticFraction::waited(memory_.all(), static_cast<uint64_t>(ns));
    expect();
  }
  double fraction() { return StaticFraction::predicted(memory_.all(), StaticFraction::kSlack); }
  // What the slack adds to what was learned of the threads.
  double added() {
    return fraction() - StaticFraction::predicted(memory_.all(), StaticFraction::kModel);
  }

 private:
  void expect() { expected_ = fraction(); }
  static constexpr uint64_t kWhole = 1'000'000;
  Memory memory_{StaticFraction::kWords};
  double expected_ = 0.5;
};

// S / ((p - 1) T_p) = 3e4 / (3 * 1e6) = 0.01, of which half counts at first.
TEST_F(WithSlack, MoreIsStaticByThePapersFormula) {
  execute();
  wait(3e4);
  EXPECT_NEAR(added(), 0.005, 1e-9);
  execute();
  wait(3e4);
  EXPECT_NEAR(added(), 0.0075, 1e-9);
  execute();
  wait(3e4);
  EXPECT_NEAR(added(), 0.00875, 1e-9);
}

TEST_F(WithSlack, ARankThatOthersWaitForBalancesAtOnce) {
  execute();
  wait(3e5);
  EXPECT_GT(added(), 0.04);
  execute();
  wait(0);
  EXPECT_EQ(added(), 0);
}

// Two waits after three executions: each execution has a third of both.
TEST_F(WithSlack, IsSharedByTheExecutionsBetweenWaits) {
  execute();
  wait(0);
  for (int i = 0; i < 3; ++i) execute();
  wait(6e4);
  wait(3e4);
  EXPECT_NEAR(added(), 0.005, 1e-9);
}

TEST_F(WithSlack, StaysWhileNoWaitIsTold) {
  execute();
  wait(3e4);
  for (int i = 0; i < 5; ++i) execute();
  EXPECT_NEAR(added(), 0.005, 1e-9);
}

TEST_F(WithSlack, NoMoreThanAllIsStatic) {
  execute();
  wait(1e12);
  EXPECT_EQ(fraction(), 1);
  execute();
  wait(1e12);
  EXPECT_EQ(fraction(), 1);
}

TEST_F(WithSlack, AThreadAloneHasNothingToBalance) {
  execute(1);
  wait(3e5);
  EXPECT_EQ(added(), 0);
}

// What is learned of the threads does not follow the slack.
TEST(StaticFraction, LearnsTheSameOfThreadsWithAndWithoutSlack) {
  const std::vector<Pace> threads{{1e6, 25e4}, {1e6}, {1e6}, {1e6}, {1e6}};
  Memory memory(StaticFraction::kWords);
  for (int i = 0; i < 60; ++i) {
    execute(memory, StaticFraction::kSlack, threads);
    StaticFraction::waited(memory.all(), 10'000'000);
  }
  EXPECT_NEAR(StaticFraction::predicted(memory.all(), StaticFraction::kModel), 0.8, 0.05);
}

// The fractions with which the first executions run.
std::vector<double> fractions_of(int executions, double setting, const std::vector<Pace>& threads,
                                 const std::function<double()>& noise) {
  Memory memory(StaticFraction::kWords);
  std::vector<double> fractions;
  for (int i = 0; i < executions; ++i) {
    std::vector<Pace> disturbed = threads;
    for (Pace& pace : disturbed) pace.whole *= 1 + noise();
    execute(memory, setting, disturbed);
    fractions.push_back(StaticFraction::predicted(memory.all(), setting));
  }
  return fractions;
}
const auto no_noise = [] { return 0.0; };

struct Limited {
  std::vector<Pace> threads;
  double limit;
};
// By the paper's bound, and by the time when all could end.
const Limited limited[] = {{{{1e6}, {1e6}, {1e6}, {1e6}}, 1},
                           {{{1e6, 25e4}, {1e6}, {1e6}, {1e6}, {1e6}}, 0.8},
                           {{{1e6, 5e5}, {1e6}}, 0.75},
                           {{{2e6}, {1e6}}, 2.0 / 3},
                           {{{1.25e6}, {1e6}, {1e6}, {1e6}}, 0.8 / 0.95}};

TEST(StaticFraction, IsNearItsLimitAfterFiveExecutions) {
  for (const auto& [threads, limit] : limited)
    for (const double setting : {StaticFraction::kModel, StaticFraction::kPrevious}) {
      const auto f = fractions_of(60, setting, threads, no_noise);
      // `previous` takes a delay for slowness, and so rises less.
      EXPECT_NEAR(f[4], limit, setting == StaticFraction::kModel ? 0.02 : 0.055) << limit;
      EXPECT_NEAR(f.back(), limit, 0.01) << limit;
      for (const double each : f) EXPECT_LE(each, limit + 0.005) << limit;
    }
}

// The paces of the threads vary from execution to execution. Then the limit does, too: a fraction
// that is above that of quiet executions by less than the paces vary is not beyond it.
TEST(StaticFraction, DoesNotRiseAboveItsLimitUnderNoise) {
  for (const double noise : {0.01, 0.02, 0.05})
    for (const auto& [threads, limit] : limited)
      for (const double setting : {StaticFraction::kModel, StaticFraction::kPrevious}) {
        std::vector<double> after_five, highest;
        for (uint32_t seed = 0; seed < 100; ++seed) {
          std::mt19937 random(seed);
          const auto f = fractions_of(60, setting, threads, [&] {
            return std::exponential_distribution(1 / noise)(random);
          });
          after_five.push_back(f[4]);
          highest.push_back(*std::ranges::max_element(f));
        }
        std::ranges::sort(after_five);
        std::ranges::sort(highest);
        EXPECT_GE(after_five[50], limit - 0.04 - noise) << noise << ' ' << limit;
        EXPECT_GE(after_five[5], limit - 0.05 - 1.5 * noise) << noise << ' ' << limit;
        EXPECT_LE(highest[50], limit + 0.3 * noise) << noise << ' ' << limit;
        EXPECT_LE(highest[95], limit + 1.2 * noise) << noise << ' ' << limit;
      }
}

// Threads that start, and pages that are touched first: one thread needs twice the time.
TEST(StaticFraction, AFirstExecutionThatIsLateIsNotBelieved) {
  Memory memory(StaticFraction::kWords);
  const std::vector<Pace> usual{{1e6, 25e4}, {1e6}, {1e6}, {1e6}, {1e6}};
  execute(memory, StaticFraction::kModel, {{1e6, 2e6}, {1e6}, {1e6}, {1e6}, {1e6}});
  EXPECT_EQ(StaticFraction::predicted(memory.all(), StaticFraction::kModel), 0.5);
  for (int i = 0; i < 5; ++i) execute(memory, StaticFraction::kModel, usual);
  EXPECT_NEAR(StaticFraction::predicted(memory.all(), StaticFraction::kModel), 0.8, 0.02);
}

// Four threads; half of the work lies in a twentieth of the iterations, and with f > 0.567 the part
// of one thread that is among them is longer than the loop has to be. That is so again as often as
// f rises there.
TEST(StaticFraction, IsSeldomTooLargeWhereMuchWorkLiesTogether) {
  constexpr int kThreads = 4;
  const auto work_up_to = [](double part) {
    return 1e6 * (part + 20 * std::clamp(part - 0.55, 0.0, 0.05));
  };
  for (const double setting : {StaticFraction::kModel, StaticFraction::kPrevious}) {
    Memory memory(StaticFraction::kWords);
    int too_large = 0;
    for (int i = 0; i < 120; ++i) {
      const double f = StaticFraction::choose(memory.all(), setting, 0);
      if (i >= 20) too_large += f > 0.57;
      std::vector<double> ends;
      for (int t = 0; t < kThreads; ++t)
        ends.push_back(work_up_to(f * (t + 1) / kThreads) - work_up_to(f * t / kThreads));
      double rest = 0, end = work_up_to(1);  // the rest fills up all that end before `end`
      for (int step = 0; step < 60; ++step) {
        rest = 0;
        for (const double mine : ends) rest += std::max(mine, end);
        end += (work_up_to(1) - rest) / kThreads;
      }
      for (const double mine : ends) {
        StaticFraction::ended_static(memory.all(), 0, static_cast<uint64_t>(mine));
        StaticFraction::finished(memory.all(), 0, static_cast<uint64_t>(std::max(mine, end)));
      }
    }
    EXPECT_GT(too_large, 0);
    EXPECT_LE(too_large, 25) << setting;
  }
}

TEST(StaticFraction, StaysLargeEnoughToLearnFrom) {
  const double f = fraction_after(100, StaticFraction::kModel, {{200e6}, {1e6}, {1e6}, {1e6}});
  EXPECT_GT(f, 0.03);
  EXPECT_LT(f, 0.04);
}

TEST(StaticFraction, OneDisturbanceIsNotBelievedAtOnce) {
  Memory memory(StaticFraction::kWords);
  for (int i = 0; i < 80; ++i) execute(memory, StaticFraction::kModel, {{1e6}, {1e6}});
  execute(memory, StaticFraction::kModel, {{9e6}, {1e6}});
  EXPECT_GT(StaticFraction::predicted(memory.all(), StaticFraction::kModel), 0.5);
}

TEST(StaticFraction, NorIsThatOfOneThreadOfMany) {
  Memory memory(StaticFraction::kWords);
  for (int i = 0; i < 80; ++i)
    execute(memory, StaticFraction::kModel, {{1e6}, {1e6}, {1e6}, {1e6}});
  execute(memory, StaticFraction::kModel, {{1e6, 40e6}, {1e6}, {1e6}, {1e6}});
  EXPECT_GT(StaticFraction::predicted(memory.all(), StaticFraction::kModel), 0.4);
}

// The first thread is in the next execution before the second thread has finished this one.
TEST(StaticFraction, ExecutionsThatOverlapTeachNothing) {
  const Row& row = *find("mixed");
  constexpr uint32_t kMembers = 2;
  std::vector<plat::atomic<uint64_t>> words(row.history_words(kMembers));
  const History history(words);
  const double before = StaticFraction::predicted(history, StaticFraction::kModel);
  uint64_t last = 0;
  for (int i = 0; i < 50; ++i) {
    Plan plan;
    plan.members = kMembers;
    plan.values = fallbacks(row.parameters);
    plan.history = history;
    StaticFraction::begin(plan);
    const uint64_t began = StaticFraction::began(history);
    if (last != 0 && last != began) StaticFraction::finished(history, last, began + 1000);
    StaticFraction::ended_static(history, began, began + 900'000);
    StaticFraction::finished(history, began, began + 1'000'000);
    last = began;
  }
  EXPECT_EQ(StaticFraction::predicted(history, StaticFraction::kModel), before);
}

// A loop of three threads whose fraction is swept.
struct Swept {
  // Runs the next execution, whose time in ns depends on the fraction, and returns the fraction.
  // `tell` of its threads end before the next execution begins.
  template <class Times>
  double execute(uint64_t trip, const Times& ns, double given = Plan::kNone, uint32_t tell = 3) {
    Plan plan;
    plan.trip = trip;
    plan.members = 3;
    plan.values[0] = StaticFraction::kSweep;
    plan.fraction = given;
    plan.history = memory.all();
    const double expected = given == Plan::kNone ? predicted() : given;
    const double f = StaticFraction::begin(plan);
    EXPECT_EQ(f, expected);
    const uint64_t began = StaticFraction::began(plan.history);
    const auto end = began + static_cast<uint64_t>(ns(f));
    for (uint32_t m = 0; m < tell; ++m)
      StaticFraction::finished(plan.history, began, m == 1 ? end : end - 5);
    return f;
  }
  double predicted() { return StaticFraction::predicted(memory.all(), StaticFraction::kSweep); }

  static double best_at_seven(double f) { return 1e6 + 1e6 * std::abs(f - 0.7); }
  static constexpr int kSamples = 33;

  Memory memory{StaticFraction::kWords};
};

// Each of the eleven fractions is tried three times; then the best execution's one is kept.
TEST(StaticFraction, SweepKeepsTheBest) {
  Swept loop;
  for (int i = 0; i < Swept::kSamples; ++i)
    EXPECT_DOUBLE_EQ(loop.execute(1000, Swept::best_at_seven), (i / 3) / 10.0);
  for (int i = 0; i < 20; ++i)  // these times no longer matter
    EXPECT_DOUBLE_EQ(loop.execute(1000, [](double) { return 10; }), 0.7);
}

// The execution with 0.2 is shortest, the one with 0.7 longest; per iteration 0.7 is best.
TEST(StaticFraction, SweepComparesTimesPerIteration) {
  for (const uint64_t unit : {uint64_t{1000}, uint64_t{1} << 59}) {
    Swept loop;
    for (int i = 0; i < Swept::kSamples; ++i) {
      const int tried = i / 3;
      const int units = tried == 2 ? 1 : tried == 7 ? 15 : 8;
      loop.execute(unit * static_cast<uint64_t>(units),
                   [&](double f) { return 1e12 * units * Swept::best_at_seven(f) / 1e6; });
    }
    EXPECT_DOUBLE_EQ(loop.predicted(), 0.7);
  }
}

// An execution that only some threads report seems short, and so does a loop without iterations.
TEST(StaticFraction, SweepLeavesOutWhatIsNotComplete) {
  Swept loop;
  const auto short_time = [](double) { return 100; };
  for (int i = 0; i < Swept::kSamples; ++i) {
    const double f = loop.predicted();
    if (i / 3 == 4) {
      for (const uint32_t tell : {0, 1, 2})
        EXPECT_EQ(loop.execute(1000, short_time, Plan::kNone, tell), f);
      EXPECT_EQ(loop.execute(0, short_time), f);
    }
    EXPECT_EQ(loop.execute(1000, Swept::best_at_seven), f);
  }
  EXPECT_DOUBLE_EQ(loop.predicted(), 0.7);
}

TEST(StaticFraction, SweepLeavesOutWhatTheProgramGave) {
  Swept loop;
  for (int i = 0; i < Swept::kSamples; ++i) {
    const double f = loop.predicted();
    if (i / 3 == 4) loop.execute(1000, [](double) { return 100; }, 0.95);
    EXPECT_EQ(loop.predicted(), f);
    loop.execute(1000, Swept::best_at_seven);
  }
  EXPECT_DOUBLE_EQ(loop.predicted(), 0.7);
}

// One member's turn: at most this many chunks.
struct Turn {
  Turn(uint32_t its_member, std::size_t its_chunks = SIZE_MAX)
      : member(its_member), chunks(its_chunks) {}
  uint32_t member;
  std::size_t chunks;
};

// Successive executions of a schedule whose members come one by one.
struct Executions {
  Executions(const char* name, uint64_t its_trip, uint32_t its_members)
      : row(*find(name)),
        trip(its_trip),
        members(its_members),
        memory(row.history_words(its_members)),
        lanes(its_members) {}

  // Returns what each member ran. Members come in the given order, each until it gets nothing more
  // or its turn is over.
  std::vector<std::vector<Range>> run(const std::vector<Turn>& order) {
    alignas(kLinePair) std::byte shared[kSharedSize];
    auto cursors = start(shared);
    std::vector<std::vector<Range>> ran(members);
    for (const auto& [m, chunks] : order)
      for (std::size_t i = 0; i < chunks; ++i) {
        const Range r = row.next(shared, cursors[m]);
        if (r.empty()) break;
        ran[m].push_back(r);
      }
    return ran;
  }

  // Each member comes when it has run its last range: took(member, range) says how long that takes.
  template <class Took>
  void run_in_time(const Took& took) {
    alignas(kLinePair) std::byte shared[kSharedSize];
    auto cursors = start(shared);
    std::vector<uint64_t> time(members);
    while (true) {
      const auto m = static_cast<uint32_t>(std::ranges::min_element(time) - time.begin());
      if (time[m] == UINT64_MAX) return;
      const Range r = row.next(shared, cursors[m]);
      time[m] = r.empty() ? UINT64_MAX : time[m] + took(m, r);
    }
  }

  std::vector<Cursor> start(void* shared) {
    Plan plan;
    plan.trip = trip;
    plan.chunk = chunk;
    plan.members = members;
    plan.lanes = lanes;
    plan.values = values;
    plan.history = memory.all();
    plan.shape = shape;
    row.start(shared, plan);
    std::vector<Cursor> cursors(members);
    for (uint32_t m = 0; m < members; ++m) {
      cursors[m].member = m;
      row.enter(shared, plan, cursors[m]);
    }
    return cursors;
  }

  const Row& row;
  uint64_t trip;
  uint32_t members;
  Memory memory;
  std::vector<Lane> lanes;
  uint64_t chunk = 0;
  Values values = fallbacks(row.parameters);
  const Shape* shape = nullptr;
};

// Sets the times of the threads' blocks, where weighted.hpp keeps them.
void took(Executions& e, const std::vector<uint64_t>& times) {
  for (uint32_t m = 0; m < e.members; ++m) e.memory.words[2 + 2 * m].store(times[m]);
}

TEST(Weighted, CutsWhereAllWouldHaveEndedTogether) {
  Executions e("weighted", 1000, 2);
  EXPECT_EQ(e.run({0, 1})[0][0], (Range{0, 500}));
  took(e, {300, 100});  // 0.6 and 0.2 per iteration: equal at 333; half of the way to 333
  EXPECT_EQ(e.run({0, 1})[0][0], (Range{0, 416}));
}

TEST(Weighted, CutsBetweenChunks) {
  Executions e("weighted", 1000, 3);
  e.chunk = 64;
  EXPECT_EQ(e.run({0, 1, 2})[1][0], (Range{320, 640}));  // not 334 and 667
  took(e, {300, 100, 100});
  const Range second = e.run({0, 1, 2})[1][0];
  EXPECT_EQ(second.begin % 64, 0u);
  EXPECT_EQ(second.end % 64, 0u);
  EXPECT_LT(second.begin, 320u);
  e.chunk = 2000;
  EXPECT_EQ(e.run({0, 1, 2})[2][0], (Range{0, 1000}));
}

TEST(Weighted, FollowsASlowThread) {
  Executions e("weighted", 9000, 2);
  uint64_t first = 0;
  for (int i = 0; i < 30; ++i) {
    const auto ran = e.run({0, 1});
    first = ran[0][0].size();
    took(e, {2 * first, ran[1][0].size()});
  }
  EXPECT_NEAR(static_cast<double>(first), 3000, 30);
}

TEST(Weighted, FollowsWorkThatGrowsAlongTheLoop) {
  Executions e("weighted", 1000, 4);
  std::vector<std::vector<Range>> ran;
  for (int i = 0; i < 40; ++i) {
    ran = e.run({0, 1, 2, 3});
    std::vector<uint64_t> times;
    for (const auto& mine : ran)
      times.push_back(mine[0].end * mine[0].end - mine[0].begin * mine[0].begin);
    took(e, times);
  }
  for (uint32_t m = 0; m < 3; ++m)
    EXPECT_NEAR(static_cast<double>(ran[m][0].end), 1000 * std::sqrt((m + 1) / 4.0), 20);
}

TEST(Weighted, ForgetsWhenTheLoopChanges) {
  Executions e("weighted", 1000, 2);
  e.run({0, 1});
  took(e, {300, 100});
  e.trip = 2000;
  EXPECT_EQ(e.run({0, 1})[0][0], (Range{0, 1000}));
}

std::vector<uint64_t> begins(const std::vector<Range>& ranges) {
  std::vector<uint64_t> begins;
  for (const Range& range : ranges) begins.push_back(range.begin);
  return begins;
}

// Two blocks of 1600: 800 static iterations and 16 chunks of 50; and the last iteration.
TEST(Vsched, AThreadTakesAgainWhatItRanLastTime) {
  Executions e("vsched", 3201, 2);
  e.values[0] = 0.5;
  EXPECT_EQ(e.run({0})[0][1], (Range{800, 850}));  // from its own block, before anything is known
  EXPECT_EQ(e.run({1})[1].size(), 2 + 32u);        // now all chunks belong to thread 1
  auto taken = begins(e.run({{0, 5}, 1})[0]);      // except four, from the end of each block
  std::ranges::sort(taken);
  EXPECT_EQ(begins(e.run({{0, 5}, 1})[0]), taken);
  // Thread 1 leaves those chunks to the end, although it comes first.
  std::vector<uint64_t> others = {1600};
  for (const uint64_t block : {2400, 800})
    for (uint64_t chunk = block; chunk < block + 800; chunk += 50)
      if (!std::ranges::binary_search(taken, chunk)) others.push_back(chunk);
  ASSERT_EQ(others.size(), 1 + 28u);
  auto ran = begins(e.run({1})[1]);
  ran.resize(others.size());
  EXPECT_EQ(ran, others);
}

// Four threads, of which the first is half as fast as the others, in virtual time. So the others
// take over iterations of the first block.
struct SlowFirst {
  static constexpr uint32_t kMembers = 4;
  static constexpr uint64_t kBlock = 3200;

  explicit SlowFirst(uint64_t chunk = 0) { e.chunk = chunk; }

  // Returns the member that ran each iteration of the first block.
  std::vector<uint32_t> run(double f) {
    e.values[0] = f;
    std::vector<uint32_t> by(kBlock, kMembers);
    e.run_in_time([&](uint32_t m, const Range& r) {
      for (uint64_t i = r.begin; i < std::min(r.end, kBlock); ++i) by[i] = m;
      return (m == 0 ? 2 : 1) * r.size();
    });
    return by;
  }

  // Of the iterations that other threads ran for the first one with `before`, the part that the
  // same threads run with `f`. Iterations that are static then are left out: they are the first
  // thread's.
  double kept(double before, double f) {
    std::vector<uint32_t> last;
    for (int i = 0; i < 5; ++i) last = run(before);
    const auto now = run(f);
    int lent = 0, same = 0;
    for (auto i = static_cast<std::size_t>(f * kBlock); i < kBlock; ++i) {
      lent += last[i] != 0;
      same += last[i] != 0 && last[i] == now[i];
    }
    EXPECT_GE(lent, static_cast<int>(kBlock / 16));
    return static_cast<double>(same) / lent;
  }

  Executions e{"vsched", kMembers* kBlock + 1, kMembers};
};

// All of them are attainable, but threads that are done early take what is left: in the last steps
// of an execution a chunk may go to another thread.
TEST(Vsched, IterationsStayWithTheirThreadsWhenTheFractionMoves) {
  for (const uint64_t chunk : {0, 10})
    for (const double before : {0.5, 0.45, 0.3})
      for (const double f : {0.5, 0.52, 0.55, 0.4, 0.3, 0.25}) {
        SCOPED_TRACE(testing::Message() << before << " to " << f << ", chunk " << chunk);
        EXPECT_GE(SlowFirst(chunk).kept(before, f), 0.9);
      }
}

// Two blocks of 6400, in cells of 200 while f is 1/2, and of 50 while it is 0.8. Thread 1 has run
// the last 800 iterations of block 0.
TEST(Vsched, CellsAreHalvedAndPutTogether) {
  Executions e("vsched", 2 * 6400 + 1, 2);
  const auto run = [&](double f, std::size_t cells_of_0) {
    e.values[0] = f;
    return e.run({{0, 1 + cells_of_0}, 1, 0});
  };
  run(0.5, 12);
  for (const auto& [f, cells, size] : {std::tuple(0.5, 12, 200), {0.8, 10, 50}, {0.5, 12, 200}}) {
    SCOPED_TRACE(f);
    const auto ran = run(f, static_cast<std::size_t>(cells));
    EXPECT_EQ(ran[0][static_cast<std::size_t>(cells)].end, 5600u);
    uint64_t at = 5600;  // in order: thread 1 takes them as its own, not as stolen ones
    for (const Range& r : ran[1])
      if (r.end <= 6400) {
        EXPECT_EQ(r, (Range{at, at + static_cast<uint64_t>(size)}));
        at = r.end;
      }
    EXPECT_EQ(at, 6400u);
  }
}

TEST(Vsched, AChunkOfAnotherNodeIsOnlyLent) {
  const std::array spots = {Spot{0, 0, 0}, Spot{0, 0, 0}, Spot{1, 1, 0}, Spot{1, 1, 0}};
  const Shape shape(spots, [](int a, int b) { return a == b ? 10u : 20u; });
  Executions e("vsched", 6401, 4);
  e.values[0] = 0.5;  // 800 static iterations each, then 16 chunks of 50
  e.shape = &shape;
  ASSERT_EQ(e.run({0, 1, 2, 3})[0].size(), 2 + 64u);
  // Thread 0 did not keep the chunks of the other node that it ran,
  const auto by_2 = e.run({2, 1, 0, 3})[2];
  ASSERT_EQ(by_2.size(), 2 + 64u);
  EXPECT_EQ(by_2[1], (Range{4000, 4050}));
  EXPECT_EQ(by_2[16], (Range{4750, 4800}));
  // but it kept the chunks of its neighbour, although thread 2 borrowed them since.
  const auto by_0 = e.run({0, 1, 2, 3})[0];
  EXPECT_EQ(by_0[17], (Range{2400, 2450}));
  EXPECT_EQ(by_0[32], (Range{3150, 3200}));
}

TEST(Vsched, AChunkIsAsLongAsWasSet) {
  Executions e("vsched", 3201, 2);
  e.values[0] = 0.5;
  e.chunk = 300;  // of 800 iterations; the last iteration is separate
  const auto ran = e.run({1, 0});
  ASSERT_EQ(ran[1].size(), 2 + 4u);
  EXPECT_EQ(ran[1][1].size(), 400u);
}

TEST(FixedSize, IsKruskalAndWeiss) {
  Executions e("fixed_size", 1'000'000, 4);
  e.values = {1000, 500, 0, 0};  // overhead, sigma
  const double best =
      std::pow(std::sqrt(2) * 1e6 * 1000 / (500 * 4 * std::sqrt(std::log(4))), 2.0 / 3);
  EXPECT_EQ(e.run({0, 1, 2, 3})[0][0].size(), static_cast<uint64_t>(best));
}

TEST(Factoring, HalvesWhatIsLeft) {
  Executions e("factoring", 1000, 4);
  std::vector<uint64_t> sizes;
  const auto ran = e.run({0, 1, 2, 3});
  for (const Range& r : ran[0]) sizes.push_back(r.size());
  const std::vector<uint64_t> expected = {125, 125, 125, 125, 63, 63, 63, 63, 31, 31, 31, 31,
                                          16,  16,  16,  16,  8,  8,  8,  8,  4,  4,  4,  4,
                                          2,   2,   2,   2,   1,  1,  1,  1,  1,  1,  1,  1};
  EXPECT_EQ(std::accumulate(sizes.begin(), sizes.end(), uint64_t{0}), 1000u);
  ASSERT_GE(sizes.size(), 16u);
  EXPECT_TRUE(std::equal(sizes.begin(), sizes.begin() + 16, expected.begin()));
}

TEST(Mixed, TheStaticPartComesFirst) {
  Executions e("mixed", 1000, 4);
  e.values[0] = 0.6;
  const auto ran = e.run({2, 0, 1, 3});
  for (uint32_t m = 0; m < 4; ++m) EXPECT_EQ(ran[m][0], (Range{m * 150, (m + 1) * 150}));
  EXPECT_EQ(ran[2][1].begin, 600u);
}

// Thread 0 alone, of four in two domains, each with a block of 1000: it may take its domain's blocks, and half
// of each other block.
void expect_half_to_stay(std::array<Spot, 4> spots, topo::Distance near) {
  const Shape shape(spots, [](int a, int b) { return a == b ? 10u : 20u; }, near);
  const Row& row = *find("hierarchical");
  std::vector<Lane> lanes(4);
  Plan plan;
  plan.trip = 4001;
  plan.members = 4;
  plan.lanes = lanes;
  plan.values = {0.5, 10, 0, 0};
  plan.shape = &shape;
  alignas(kLinePair) std::byte shared[kSharedSize];
  row.start(shared, plan);
  Cursor cursor;
  row.enter(shared, plan, cursor);
  uint64_t abroad = 0, all = 0;
  for (Range r = row.next(shared, cursor); !r.empty(); r = row.next(shared, cursor)) {
    all += r.size();
    if (r.begin < 2000 || r.end == plan.trip) continue;
    abroad += r.size();
    EXPECT_GE(r.begin % 1000, 500u);
  }
  EXPECT_EQ(abroad, 1000u);
  EXPECT_EQ(all, 3001u);
}

TEST(Hierarchical, WhatIsStrictStaysOnItsNode) {
  expect_half_to_stay({Spot{0, 0, 0}, Spot{1, 0, 0}, Spot{2, 1, 1}, Spot{3, 1, 1}},
                      topo::Distance::kNode);
}

TEST(Hierarchical, WhatIsStrictStaysInItsCacheGroup) {
  expect_half_to_stay({Spot{0, 0, 0}, Spot{0, 0, 0}, Spot{1, 0, 0}, Spot{1, 0, 0}},
                      topo::Distance::kCacheGroup);
}

}  // namespace
}  // namespace vicino::loop
