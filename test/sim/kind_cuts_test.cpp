// Static loops cut by loop/kind_cuts.hpp, on simulated cores of several kinds, in regions of one loop each.
#include "loop/kind_cuts.hpp"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "plat/sim/team.hpp"

namespace cluster {
namespace {

using vicino::loop::by_kinds;
using vicino::loop::Cursor;
using vicino::loop::KindCuts;
using vicino::loop::Plan;
using vicino::sim::Costs;
using vicino::sim::kNanosecond;
using vicino::sim::Team;
using vicino::sim::Time;

constexpr uint32_t kMembers = 16;
constexpr uint64_t kTrip = 16000;
constexpr double kIteration = 100 * kNanosecond;

struct Cores {
  std::vector<int8_t> kinds;
  std::vector<double> speeds;

  double all() const {
    double sum = 0;
    for (const double speed : speeds) sum += speed;
    return sum;
  }
};

// 8 of kind 1, which have speed 1; then 8 of kind 0.
Cores strong_and_weak(double weak) {
  Cores cores;
  for (uint32_t m = 0; m < kMembers; ++m) {
    cores.kinds.push_back(m < 8);
    cores.speeds.push_back(m < 8 ? 1 : weak);
  }
  return cores;
}

// What disturbs a member in one region.
struct Noise {
  double slower = 1;
  Time lost = 0;
};
using Disturb = std::function<Noise(std::mt19937&)>;

Noise no_noise(std::mt19937&) { return {}; }

Disturb spikes(double share, Time lost) {
  return [=](std::mt19937& random) {
    return Noise{1, std::bernoulli_distribution(share)(random) ? lost : 0};
  };
}

Disturb uneven(double spread) {
  return [=](std::mt19937& random) {
    return Noise{1 + std::uniform_real_distribution(0.0, spread)(random), 0};
  };
}

// How long each of so many regions takes; `learns`: if not, blocks stay equal.
std::vector<double> regions(const Cores& cores, int number, bool learns,
                            const Disturb& disturb = no_noise) {
  Team team(kMembers, Costs::none());
  KindCuts cuts;
  std::vector<vicino::plat::atomic<uint64_t>> words(KindCuts::kWords);
  std::mt19937 random(1);
  std::vector<double> times;
  Time now = 1'000'000'000;
  for (int region = 0; region < number; ++region) {
    cuts.fix(cores.kinds, nullptr, learns ? words : vicino::loop::History{});
    std::vector<Noise> noises;
    for (uint32_t m = 0; m < kMembers; ++m) noises.push_back(disturb(random));
    Plan plan;
    plan.trip = kTrip;
    plan.members = kMembers;
    team.run(std::vector<Time>(kMembers, now), 1, [&](uint32_t member) {
      Cursor cursor;
      cursor.member = member;
      by_kinds().enter(&cuts, plan, cursor);
      for (;;) {
        const auto block = by_kinds().next(&cuts, cursor);
        if (block.empty()) return;
        team.work(static_cast<Time>(static_cast<double>(block.size()) * kIteration *
                                    noises[member].slower / cores.speeds[member]) +
                  noises[member].lost);
      }
    });
    times.push_back(static_cast<double>(team.last_end() - now));
    now = team.last_end();
  }
  return times;
}

double sum(const std::vector<double>& times) {
  double all = 0;
  for (const double time : times) all += time;
  return all;
}

TEST(SimKindCuts, ReachTheSumOfTheSpeeds) {
  for (const double weak : {0.3, 0.55, 0.8}) {
    const Cores cores = strong_and_weak(weak);
    const std::vector<double> times = regions(cores, 20, true);
    const double ideal = kTrip * kIteration / cores.all();
    EXPECT_NEAR(times[0], kTrip * kIteration / kMembers / weak, 0.01 * ideal);
    EXPECT_LT(times[9], 1.03 * ideal) << weak;
    EXPECT_LT(times[19], 1.005 * ideal) << weak;
  }
}

TEST(SimKindCuts, ReachItUnderNoise) {
  const Cores cores = strong_and_weak(0.55);
  const Time block = kTrip / kMembers * 100 * kNanosecond;
  for (const Disturb& disturb :
       {uneven(0.05), uneven(0.3), spikes(0.005, 5 * block), spikes(0.2, block / 3)})
    EXPECT_LT(sum(regions(cores, 200, true, disturb)),
              0.87 * sum(regions(cores, 200, false, disturb)));
}

// Cores of two kinds that are equally fast, whatever disturbs them.
TEST(SimKindCuts, EqualCoresAreNoSlowerUnderNoise) {
  const Cores cores = strong_and_weak(1);
  const Time block = kTrip / kMembers * 100 * kNanosecond;
  for (const Disturb& disturb :
       {Disturb(no_noise), uneven(0.05), uneven(0.3), spikes(0.005, 5 * block),
        spikes(1.0 / 16, block), spikes(0.2, block / 3)})
    EXPECT_LT(sum(regions(cores, 200, true, disturb)),
              1.01 * sum(regions(cores, 200, false, disturb)));
}

// A kind that is called weaker and is faster counts as equal.
TEST(SimKindCuts, AWeakerKindGetsNoMore) {
  const Cores cores = strong_and_weak(2);
  EXPECT_EQ(regions(cores, 20, true), regions(cores, 20, false));
}

}  // namespace
}  // namespace cluster
