// A static fraction from the program precedes the schedule's own, which continues to learn.
#include <gtest/gtest.h>

#include <vector>

#include "loop/registry.hpp"
#include "loop/schedulers.hpp"

namespace vicino::loop {
namespace {

class GivenFraction : public testing::TestWithParam<std::string_view> {
 protected:
  static constexpr uint32_t kMembers = 2;
  static constexpr uint64_t kTrip = 1000;

  const Row& row() const { return *find(GetParam()); }

  // Returns the first chunk of each member, which is its static part if it has one.
  std::vector<Range> begin(double fraction, double setting, History history) {
    Plan plan{kTrip, 1, kMembers, lanes_};
    plan.values = fallbacks(row().parameters);
    plan.values[0] = setting;
    plan.fraction = fraction;
    plan.history = history;
    row().start(shared_, plan);
    std::vector<Range> first;
    for (uint32_t m = 0; m < kMembers; ++m) {
      cursors_[m] = {};
      cursors_[m].member = m;
      row().enter(shared_, plan, cursors_[m]);
      first.push_back(row().next(shared_, cursors_[m]));
    }
    return first;
  }

  // Runs the rest of the loop.
  uint64_t finish() {
    uint64_t count = 0;
    for (auto& cursor : cursors_)
      for (Range range = row().next(shared_, cursor); !range.empty();
           range = row().next(shared_, cursor))
        count += range.end - range.begin;
    return count;
  }

  static uint64_t size(const std::vector<Range>& ranges) {
    uint64_t all = 0;
    for (const Range& range : ranges) all += range.end - range.begin;
    return all;
  }

  alignas(kLinePair) std::byte shared_[kSharedSize];
  std::vector<Lane> lanes_{kMembers};
  Cursor cursors_[kMembers];
};
INSTANTIATE_TEST_SUITE_P(PendingCount, GivenFraction,
                         testing::Values("mixed", "mixed_variable", "staggered", "vsched"),
                         [](const auto& param_info) { return std::string(param_info.param); });

TEST_P(GivenFraction, GoesBeforeTheSchedulesOwn) {
  std::vector<plat::atomic<uint64_t>> words(row().history_words(kMembers));
  for (const double setting : {StaticFraction::kModel, 0.9})
    for (const double given : {0.25, 0.5, 1.0}) {
      const auto parts = begin(given, setting, words);
      EXPECT_NEAR(static_cast<double>(size(parts)), given * kTrip, 4) << given;
      EXPECT_EQ(size(parts) + finish(), kTrip);
    }
}

// With no static part, a thread that comes first can take everything.
TEST_P(GivenFraction, NothingStatic) {
  std::vector<plat::atomic<uint64_t>> words(row().history_words(kMembers));
  Plan plan{kTrip, 1, kMembers, lanes_};
  plan.values = fallbacks(row().parameters);
  plan.fraction = 0;
  plan.history = words;
  row().start(shared_, plan);
  for (uint32_t m = 0; m < kMembers; ++m) {
    cursors_[m] = {};
    cursors_[m].member = m;
    row().enter(shared_, plan, cursors_[m]);
  }
  uint64_t count = 0;
  for (Range range = row().next(shared_, cursors_[0]); !range.empty();
       range = row().next(shared_, cursors_[0]))
    count += range.end - range.begin;
  EXPECT_EQ(count, kTrip);
  EXPECT_TRUE(row().next(shared_, cursors_[1]).empty());
}

// Two threads took 1 and 3, and all of it was static: the fraction should be 2/3. It moves half of
// the way to 2/3 each time, although all of the loop is static each time.
TEST_P(GivenFraction, IsLearnedFromAllTheSame) {
  std::vector<plat::atomic<uint64_t>> words(row().history_words(kMembers));
  const History fraction = History(words).first(StaticFraction::kWords);
  EXPECT_EQ(StaticFraction::predicted(fraction, StaticFraction::kPrevious), 0.5);
  double want = 0.5;
  for (int round = 0; round < 5; ++round) {
    begin(1, StaticFraction::kPrevious, words);
    const uint64_t hour = 3'600'000'000'000;  // the time that begin() took is negligible beside it
    for (const uint64_t end : {plat::now() + hour, plat::now() + 3 * hour}) {
      StaticFraction::ended_static(fraction, StaticFraction::began(fraction), end);
      StaticFraction::finished(fraction, StaticFraction::began(fraction), end);
    }
    want += (2.0 / 3 - want) / 2;
    EXPECT_NEAR(StaticFraction::predicted(fraction, StaticFraction::kPrevious), want, 1e-6);
  }
}

}  // namespace
}  // namespace vicino::loop
