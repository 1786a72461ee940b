// How much memory a site's tuner uses after it has tried everything that it ever tries.
#include <gtest/gtest.h>
#include <malloc.h>

#include <deque>
#include <random>
#include <string>

#include "site/tuned_site.hpp"
#include "topo/machine.hpp"

namespace vicino::tune {
namespace {

// Tries as many threads and schedules as the largest machines have, with no early minimum.
void drive(SiteTuner& tuner, std::mt19937& random) {
  std::uniform_real_distribution noise(1.0, 1.3);
  for (int i = 0; i < 2000; ++i) {
    const Choice choice = tuner.choose();
    const double cost = 1e6 / (50 + choice.threads) * noise(random) * (i > 1000 ? 9 : 1);
    tuner.record(choice, cost * 1000, 1000);
  }
}

TEST(TuneMemory, OfASiteIsBounded) {
  // A machine with several nodes and several caches in each has all candidates.
  const auto machine =
      topo::Machine::from_xml(std::string(VICINO_MACHINES) + "/epyc-9354-2x32-nps4.xml");
  ASSERT_TRUE(machine.ok()) << machine.error();
  const auto candidates = static_cast<uint32_t>(site::schedules_on(*machine).size());
  constexpr std::size_t kSites = 64;
  const std::size_t before = mallinfo2().uordblks;
  std::mt19937 random(1);
  std::deque<SiteTuner> tuners;
  for (std::size_t i = 0; i < kSites; ++i) drive(tuners.emplace_back(candidates, 1024, 8), random);
  const std::size_t after = mallinfo2().uordblks;
  if (after == before) GTEST_SKIP() << "another allocator is in place of the C library's";
  const SiteTuner& one = tuners.front();
  EXPECT_GE(one.explored_again(), 1u);  // so vectors have grown twice
  EXPECT_GE(one.widths().size(), 5u);
  const std::size_t each = (after - before) / kSites;
  EXPECT_GE(each, candidates * sizeof(Estimate)) << "the estimates are not counted";
  constexpr std::size_t kSource = 256;  // of the compiler's text: file, function, line
  EXPECT_LE(each - sizeof(SiteTuner) +
                std::max(sizeof(site::TunedLoop), sizeof(site::TunedConstruct)) + kSource,
            site::TunedSite::kMostBytes);
  RecordProperty("bytes", static_cast<int>(each));
}

}  // namespace
}  // namespace vicino::tune
