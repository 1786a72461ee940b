// The schedules of src/loop on a simulated team.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "loop/schedulers.hpp"
#include "loop_run.hpp"

namespace cluster {
namespace {

using namespace vicino::loop;  // NOLINT: a test
using vicino::sim::Costs;
using vicino::sim::Team;

struct Claim {
  uint32_t member;
  Range range;
  bool operator==(const Claim&) const = default;
};

constexpr Time kMicrosecond = 1000 * kNanosecond;

template <class S>
class EachSchedule : public testing::Test {};
template <class Tuple>
struct AsTypes;
template <class... S>
struct AsTypes<std::tuple<S...>> {
  using type = testing::Types<S...>;
};
struct Names {
  template <class S>
  static std::string GetName(int) {
    return std::string(S::kName);
  }
};
TYPED_TEST_SUITE(EachSchedule, typename AsTypes<Schedulers>::type, Names);

// Twice with the same history, so that what was learned is used, too.
TYPED_TEST(EachSchedule, GivesEachIterationOnce) {
  const vicino::loop::Row& row = *find(TypeParam::kName);
  for (const uint32_t members : {1, 2, 3, 16})
    for (const uint64_t trip : {0, 1, 17, 1000})
      for (const uint64_t chunk : {0, 3}) {
        Team team(members, Costs{});
        LoopRun run(team);
        std::vector<vicino::plat::atomic<uint64_t>> words(row.history_words(members));
        Plan plan;
        plan.trip = trip;
        plan.chunk = chunk;
        plan.values = fallbacks(row.parameters);
        plan.history = words;
        for (int again = 1; again <= 2; ++again) {
          std::vector<int> times(trip);
          std::vector<Time> begins(members, again * 1'000'000 * kMicrosecond);
          run(row, plan, begins, trip, [&](Range range) {
            for (uint64_t i = range.begin; i < range.end; ++i) ++times[i];
            team.work(range.size() * (1 + team.random() % 2000) * kNanosecond);
          });
          EXPECT_EQ(times, std::vector<int>(trip, 1))
              << row.name << ", " << members << " members, " << trip << " iterations";
        }
      }
}

// Runs a loop on a team for which only work takes time.
std::vector<Claim> claims(const std::string& schedule, const std::vector<int>& microseconds,
                          std::vector<Time> begins, Time& end, Costs costs = Costs::none()) {
  Team team(static_cast<uint32_t>(begins.size()), costs);
  LoopRun run(team);
  const vicino::loop::Row& row = *find(schedule);
  Plan plan;
  plan.trip = microseconds.size();
  plan.chunk = schedule.starts_with("dynamic") ? 1 : 0;
  plan.values = fallbacks(row.parameters);
  std::vector<Claim> claimed;
  const Time begin = 1'000'000 * kMicrosecond;
  for (Time& each : begins) each += begin;
  run(row, plan, begins, 1, [&](Range range) {
    claimed.push_back({team.member(), range});
    for (uint64_t i = range.begin; i < range.end; ++i) team.work(microseconds[i] * kMicrosecond);
  });
  end = team.last_end() - begin;
  return claimed;
}

// Member 0 has iteration 0 until 50; member 1 has 1 until 10, 2 until 20, 3 until 60; member 0 then
// has 4 until 70.
TEST(SimLoops, OneCounterByHand) {
  Time end = 0;
  EXPECT_EQ(claims("dynamic_shared", {50, 10, 10, 40, 20}, {0, 0}, end),
            (std::vector<Claim>{{0, {0, 1}}, {1, {1, 2}}, {1, {2, 3}}, {1, {3, 4}}, {0, {4, 5}}}));
  EXPECT_EQ(end, 70 * kMicrosecond);
}

// Eight of nine iterations are dealt, four to each member. At 40 member 1 is through with its own and
// takes the back half of the three that member 0 has left: 2 and 3. At 60 member 0 has 1, which is
// all it has left, at 70 member 1 the last.
TEST(SimLoops, OwnSharesByHand) {
  Time end = 0;
  EXPECT_EQ(claims("dynamic", {60, 30, 15, 15, 10, 10, 10, 10, 5}, {0, 0}, end),
            (std::vector<Claim>{{0, {0, 1}},
                                {1, {4, 5}},
                                {1, {5, 6}},
                                {1, {6, 7}},
                                {1, {7, 8}},
                                {1, {2, 3}},
                                {1, {3, 4}},
                                {0, {1, 2}},
                                {1, {8, 9}}}));
  EXPECT_EQ(end, 90 * kMicrosecond);
}

TEST(SimLoops, StaticIsExactWhateverAtomicsCost) {
  Time end = 0;
  EXPECT_EQ(claims("static", {1, 2, 3, 4, 5}, {0, 7 * kMicrosecond}, end, Costs{}),
            (std::vector<Claim>{{0, {0, 3}}, {1, {3, 5}}}));
  EXPECT_EQ(end, 16 * kMicrosecond);
}

// How many times as long as the ideal time 64 threads in caches of eight take for a loop, if iteration
// i of n takes cost(i / n).
template <class Cost>
double times_ideal(const char* schedule, uint64_t seed, Cost cost) {
  constexpr uint32_t kMembers = 64, kPerCache = 8, kTrip = 65536;
  std::vector<Time> costs(kTrip);
  for (uint32_t i = 0; i < kTrip; ++i) costs[i] = static_cast<Time>(cost(double{1} * i / kTrip));
  std::vector<Spot> spots;
  for (uint32_t i = 0; i < kMembers; ++i) spots.push_back({static_cast<int>(i / kPerCache), 0, 0});
  const Shape shape(spots, [](int, int) { return 0u; });
  Team team(kMembers, Costs{.cores_per_package = kPerCache});
  LoopRun run(team);
  const vicino::loop::Row& row = *find(schedule);
  Plan plan;
  plan.trip = kTrip;
  plan.values = fallbacks(row.parameters);
  plan.shape = &shape;
  const Time begin = 1'000'000 * kMicrosecond;
  run(row, plan, std::vector<Time>(kMembers, begin), seed, [&](Range range) {
    for (uint64_t i = range.begin; i < range.end; ++i) team.work(costs[i]);
  });
  const Time all = std::accumulate(costs.begin(), costs.end(), Time{0});
  return static_cast<double>(team.last_end() - begin) * kMembers / static_cast<double>(all);
}

double rising(double place) { return std::exp(8 * place - 8) * kMicrosecond; }
double even(double) { return 100.0 * kNanosecond; }

// A thread that has run through cheap iterations must not take a stretch of expensive ones as one
// chunk, from which nobody can steal.
TEST(SimLoops, FewKnowWhatLiesAhead) {
  for (uint64_t seed = 1; seed <= 4; ++seed) {
    EXPECT_LT(times_ideal("ich", seed, rising), 1.8);
    EXPECT_LT(times_ideal("nich", seed, rising), 2.5);
  }
}

// Most threads run out of work at the same time, and only the last ones have much.
TEST(SimLoops, ThievesSpread) {
  for (uint64_t seed = 1; seed <= 4; ++seed) EXPECT_LT(times_ideal("dynamic", seed, rising), 1.8);
}

// A counter from which 64 threads claim in turn serves one in 37 to 74 ns.
TEST(SimLoops, FewClaimsFromOneCounter) {
  EXPECT_LT(times_ideal("dynamic_shared", 1, even), 4);
  EXPECT_LT(times_ideal("dynamic_shared", 1, rising), 4);
}

// Of two threads one is twice as slow. Both are to end together: after 2/3 of the loop's time on
// one of them. The slow one's static part may then be 2/3 of its half (docs/design/mixed.md).
TEST(SimLoops, TheStaticFractionSettles) {
  Team team(2, Costs::none());
  LoopRun run(team);
  const vicino::loop::Row& row = *find("mixed");
  std::vector<vicino::plat::atomic<uint64_t>> words(row.history_words(2));
  Plan plan;
  plan.trip = 3000;
  plan.values = fallbacks(row.parameters);
  plan.history = words;
  for (Time again = 1; again <= 40; ++again) {
    const std::vector<Time> begins(2, again * 1'000'000 * kMicrosecond);
    run(row, plan, begins, 1, [&](Range range) {
      team.work(range.size() * (team.member() == 0 ? 10 : 20) * kMicrosecond);
    });
  }
  EXPECT_NEAR(StaticFraction::predicted(plan.history, StaticFraction::kModel), 2.0 / 3, 0.03);
}

}  // namespace
}  // namespace cluster
