// studies/loops: its model, on loops whose times can be worked out by hand from the rules in execution.hpp.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "execution.hpp"
#include "schedules.hpp"

namespace loops {
namespace {

Parameters machine(std::string_view name) {
  Parameters p = parameters_of(name, Bound::kValue);
  p.spread = 0;
  return p;
}

Outcome run(const Parameters& p, std::string_view schedule, uint32_t threads,
            const std::vector<Loop>& loops) {
  const auto selection = schedule_of(schedule);
  EXPECT_TRUE(selection) << schedule;
  return Execution(p, *selection, {.threads = threads}).run({loops});
}

Loop computing(uint64_t trip, double cycles) {
  Loop loop{.trip = trip};
  loop.cost.cycles = cycles;
  return loop;
}

Loop streaming(uint64_t trip, double bytes) {
  Loop loop{.trip = trip};
  loop.cost.bytes = bytes;
  return loop;
}

// What begins and ends a loop (E6), and a claim in it.
double ends(const Parameters& p, uint32_t threads) {
  const uint32_t levels = std::bit_width(threads - 1);
  return levels * (p.fork + p.far_line) + p.claim;
}

constexpr std::string_view kSchedules[] = {
    "static",         "static_chunked,1",   "libgomp-dynamic",    "libgomp-dynamic,3",
    "libgomp-guided", "ich,paper",          "nich,paper",         "ich",
    "nich",           "nich,paper,group=1", "nich,paper,update=1"};

TEST(PaperLoops, OneThreadIsSerial) {
  for (const Machine& each : machines()) {
    const Parameters p = machine(each.name);
    const Outcome outcome = run(p, "static", 1, {computing(1000, 3e4)});
    EXPECT_NEAR(outcome.ns, 1000 * 3e4 / (p.ghz * p.speed) + ends(p, 1), 1) << each.name;
    EXPECT_NEAR(outcome.work, 1000 * 3e4 / (p.ghz * p.speed), 1);
  }
}

TEST(PaperLoops, AnEvenLoopTakesItsShare) {
  for (const Machine& each : machines()) {
    const Parameters p = machine(each.name);
    const auto threads = static_cast<uint32_t>(p.cores);
    const Outcome outcome = run(p, "static", threads, {computing(100 * threads, 3e5)});
    EXPECT_NEAR(outcome.ns, 100 * 3e5 / (p.ghz * p.speed) + ends(p, threads), 1) << each.name;
  }
}

TEST(PaperLoops, ThreadsOfACoreShareItsWork) {
  const Parameters p = machine("knl");
  for (const auto& [per_core, capacity] : {std::pair(1, 1.0), {2, p.two}, {4, p.four}}) {
    const auto threads = static_cast<uint32_t>(68 * per_core);
    const Outcome outcome = run(p, "static", threads, {computing(4 * 68 * 100, 1e5)});
    const double alone = 400 * 1e5 / (p.ghz * p.speed);
    // Until all have begun, and after some have ended, a core has less to share.
    EXPECT_NEAR(outcome.ns, alone / capacity, alone * 0.01) << threads;
  }
}

TEST(PaperLoops, EachScheduleExecutesAllIterations) {
  const Parameters p = machine("epyc");
  for (const uint64_t trip : {1, 63, 64, 65, 5000})
    for (const std::string_view schedule : kSchedules)
      for (const uint32_t threads : {1, 7, 64, 128}) {
        const Outcome outcome = run(p, schedule, threads, {computing(trip, 1000)});
        EXPECT_EQ(outcome.iterations, trip) << schedule;
        const double ideal = static_cast<double>(trip) * 1000 / 3 / std::min(threads, 64u) / p.two;
        EXPECT_GE(outcome.ns, ideal) << schedule << " " << threads;
      }
}

TEST(PaperLoops, RequestersShareTheRatesOfGroupsAndNodes) {
  const Parameters p = machine("epyc");
  const auto fourth = [](double x) { return x * x * x * x; };
  const double bytes = 1e5, count = 10'000;
  for (const uint32_t threads : {1, 8, 64}) {
    const Outcome outcome =
        run(p, "static", threads, {streaming(static_cast<uint64_t>(count) * threads, bytes)});
    const double demand = threads * p.core_rate;
    const double too_many = std::max(0.0, (demand - p.node_rate) / p.core_rate);
    const double rate = p.node_rate * std::max(1 - p.loss * too_many, 0.25);
    const double group = std::min(threads, 8u) * p.core_rate / p.group_rate;
    const double longer = std::pow(1 + fourth(group) + fourth(demand / rate), 0.25);
    EXPECT_NEAR(outcome.ns, count * bytes / p.core_rate * longer, outcome.ns * 0.01) << threads;
  }
}

TEST(PaperLoops, TheFarPackageWaitsForTheLink) {
  Parameters p = machine("xeon");
  const Loop loop = streaming(48 * 10'000, 1e5);
  const double first = run(p, "static", 48, {loop}).ns;
  p.homes = 1;
  const double spread = run(p, "static", 48, {loop}).ns;
  // Spread data come at 2 x 120 GB/s; data on one package cross the link at about 34.
  EXPECT_NEAR(spread, 24e4 * 1e5 / 120, spread * 0.1);
  EXPECT_GT(first, 24e4 * 1e5 / 34.3);
}

TEST(PaperLoops, DataAreFoundWhereTheyWereUsed) {
  const Parameters p = machine("epyc");
  const Loop small = streaming(65'536, 1000);  // 65 MB, of which a group's cache holds its eighth
  EXPECT_NEAR(run(p, "static", 64, {small, small}).reused, 0.5, 0.01);
  EXPECT_EQ(run(p, "static", 64, {small}).reused, 0);
  EXPECT_LT(run(p, "static_chunked,1", 8, {small, small}).reused, 0.01);  // one group for all
  EXPECT_LT(run(p, "libgomp-dynamic", 64, {small, small}).reused, 0.2);
  // A block of sixteen iterations that the same loop has touched before is not found.
  EXPECT_EQ(run(p, "static_chunked,1", 8, {streaming(1 << 20, 10)}).reused, 0);
  const double once = run(p, "static", 64, {small}).ns;
  EXPECT_LT(run(p, "static", 64, {small, small}).ns, 1.6 * once);
}

TEST(PaperLoops, AColdCounterServesOneThreadAtATime) {
  const Parameters p = machine("epyc");
  const Outcome outcome = run(p, "libgomp-dynamic", 64, {computing(50'000, 1)});
  EXPECT_GT(outcome.ns, 50'000 * p.near_line);
  EXPECT_LT(outcome.ns, 50'000 * p.far_line * 1.01);
  // Of a longer loop a part is executed (E7).
  const Outcome part = run(p, "libgomp-dynamic", 64, {computing(400'000, 1)});
  EXPECT_LT(part.iterations, 200'000u);
  EXPECT_NEAR(part.ns, 8 * outcome.ns, 0.02 * part.ns);
}

TEST(PaperLoops, AHeavyIterationCountsAsItsUnits) {
  const Parameters p = machine("epyc");
  const auto units = std::make_shared<Units>(130, [](uint64_t i) { return i == 100 ? 1000u : 1u; });
  EXPECT_EQ(units->sum(0, 130), 1129u);
  EXPECT_EQ(units->sum(100, 101), 1000u);
  EXPECT_EQ(units->sum(101, 130), 29u);
  Loop loop{.trip = 130, .units = units};
  loop.cost.cycles_of_unit = 3000;
  EXPECT_NEAR(run(p, "libgomp-dynamic", 64, {loop}).ns, 1e6, 1e4);
}

TEST(PaperLoops, AFixedClockIsTheBaseClock) {
  Parameters p = parameters_of("epyc", Bound::kValue);
  const auto selection = schedule_of("static");
  const Setting setting{.threads = 64, .fixed = true};
  const double ns = Execution(p, *selection, setting).run({{computing(6400, 3e5)}}).ns;
  EXPECT_NEAR(ns, 100 * 3e5 / p.fixed_ghz + ends(p, 64), 1);
  // Without, the slowest of 64 cores decides.
  EXPECT_GT(Execution(p, *selection, {.threads = 64}).run({{computing(6400, 3e5)}}).ns, 1.03 * 1e7);
}

TEST(PaperLoops, AParameterOrAScheduleThatIsUnknownIsNamed) {
  Parameters p = machine("epyc");
  EXPECT_TRUE(set(p, "epyc", "fork=10"));
  EXPECT_EQ(p.fork, 10);
  EXPECT_NE(set(p, "epyc", "forks=1").error().find("no parameter 'forks'; known: cores"),
            std::string::npos);
  EXPECT_EQ(set(p, "epyc", "ghz=0").error(),
            "the parameter ghz takes low, high or a number above 0, up to 10^9, not '0'");
  EXPECT_TRUE(set(p, "epyc", "spread=0"));
  EXPECT_NE(schedule_of("libgomp-dynamic,x").error().find("takes a chunk from 1 to 9"),
            std::string::npos);
  EXPECT_FALSE(schedule_of("nonsense"));
}

}  // namespace
}  // namespace loops
