// The lab's noise (R15): CPUs that stop now and then.
#include "locality/noise.hpp"

#include <gtest/gtest.h>

namespace vicino::lab {
namespace {

constexpr std::uint64_t kEvery = 9'000, kLength = 1'000;

// What a CPU is stopped for while it does so much work, `step` cycles at a time.
std::uint64_t stopped_in(Noise& noise, int cpu, std::uint64_t work, std::uint64_t step) {
  std::uint64_t now = 0, stopped = 0;
  for (std::uint64_t done = 0; done < work; done += step) {
    now += step;
    const std::uint64_t stop = noise.stops(cpu, now);
    now += stop;
    stopped += stop;
  }
  return stopped;
}

TEST(LabNoise, TakesItsShareOfEachCpu) {
  Noise noise(3, kEvery, kLength, 7);
  noise.begin(0);
  for (int cpu = 0; cpu < 3; ++cpu) {
    const auto stopped = static_cast<double>(stopped_in(noise, cpu, 9'000'000, 10));
    EXPECT_NEAR(stopped / 1'000'000, 1, 0.15) << "CPU " << cpu;  // 1000 stops: five standard deviations
  }
}

TEST(LabNoise, IsAnotherOneForEachCpuAndSeed) {
  const auto first_stop = [](std::uint64_t seed, int cpu) {
    Noise noise(2, kEvery, kLength, seed);
    noise.begin(0);
    std::uint64_t now = 0;
    while (now < 100 * kEvery && noise.stops(cpu, now) == 0) ++now;
    return now;
  };
  EXPECT_EQ(first_stop(1, 0), first_stop(1, 0));
  EXPECT_NE(first_stop(1, 0), first_stop(1, 1));
  EXPECT_NE(first_stop(1, 0), first_stop(2, 0));
}

TEST(LabNoise, IsNoneWithoutARate) {
  Noise noise(1, 0, kLength, 7);
  noise.begin(0);
  EXPECT_EQ(stopped_in(noise, 0, 1'000'000, 10), 0u);
}

// A stop that was over before the CPU ran again took nothing from the program, and one that was not takes the rest.
TEST(LabNoise, CostsNothingWhileTheCpuIsHalted) {
  Noise noise(1, kEvery, kLength, 7);
  noise.begin(0);
  for (std::uint64_t now = 0; now < 1'000 * kEvery; now += 100 * kEvery)
    EXPECT_LE(noise.stops(0, now), 3 * kLength) << "after a pause as long as 100 stops";
}

}  // namespace
}  // namespace vicino::lab
