// `ich,paper` against a model of the published iCh that shares no code with the schedule: ranges as
// two plain numbers, the mean over all threads, and no limit on chunks.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

#include "loop/registry.hpp"

namespace vicino::loop {
namespace {

// The published algorithm; k, d and the range of each thread.
struct Model {
  struct Thread {
    long begin, end, k, d;
    bool began = false;
  };

  static constexpr long kMostD = 1L << 31;  // a bound that the paper does not need, nor any chunk

  Model(long n, long p) : count(n) {
    // The schedule keeps the last iteration apart; the model leaves it out.
    for (long t = 0, at = 0; t < p; ++t) {
      const long size = (n - 1) / p + (t < (n - 1) % p);
      threads.push_back({at, at + size, 0, p});
      at += size;
    }
  }

  void adapt(Thread& me) const {
    double sum = 0;
    for (const Thread& t : threads) sum += static_cast<double>(t.k);
    const double mean = sum / static_cast<double>(threads.size()), delta = 0.33 * mean;
    if (static_cast<double>(me.k) < mean - delta) me.d = std::max(me.d / 2, 1L);
    if (static_cast<double>(me.k) > mean + delta) me.d = std::min(me.d * 2, kMostD);
  }

  static Range take(Thread& me) {
    const long left = me.end - me.begin, chunk = std::clamp(left / me.d, 1L, left);
    me.begin += chunk;
    me.k += chunk;
    return {static_cast<uint64_t>(me.begin - chunk), static_cast<uint64_t>(me.begin)};
  }

  static void steal(Thread& me, Thread& victim) {
    const long half = (victim.end - victim.begin + 1) / 2;
    me.begin = victim.end - half;
    me.end = victim.end;
    victim.end -= half;
    me.d = (me.d + victim.d) / 2;
    me.k = (me.k + victim.k) / 2;
  }

  // Follows a thread that got `given`, and returns what the model gives it. The victim is random:
  // the model asks the one from whom `given` must have come, if there is one.
  Range next(std::size_t t, const Range& given) {
    Thread& me = threads[t];
    if (me.began) adapt(me);
    me.began = true;
    if (me.begin == me.end) {
      const auto victim = std::ranges::find_if(threads, [&](const Thread& v) {
        const auto begin = static_cast<long>(given.begin);
        return begin >= v.begin && begin < v.end;
      });
      if (victim == threads.end()) return last();
      steal(me, *victim);
    }
    return take(me);
  }

  Range last() {
    for (const Thread& t : threads) EXPECT_EQ(t.begin, t.end);
    const auto n = static_cast<uint64_t>(count);
    if (std::exchange(last_given, true)) return {};
    return {n - 1, n};
  }

  std::vector<Thread> threads;
  long count;
  bool last_given = false;
};

struct Schedule {
  Schedule(uint64_t trip, uint32_t members) : lanes(members), cursors(members) {
    Plan plan;
    plan.trip = trip;
    plan.members = members;
    plan.lanes = lanes;
    plan.values = std::ranges::find(row.presets, "paper", &Preset::name)->values;
    row.start(shared, plan);
    for (uint32_t m = 0; m < members; ++m) {
      cursors[m].member = m;
      row.enter(shared, plan, cursors[m]);
    }
  }
  Range next(uint32_t member) { return row.next(shared, cursors[member]); }

  const Row& row = *find("ich");
  alignas(kLinePair) std::byte shared[kSharedSize];
  std::vector<Lane> lanes;
  std::vector<Cursor> cursors;
};

// Threads of different speeds return in random order, until all have ended.
void follow(uint64_t trip, uint32_t members, std::mt19937& random) {
  SCOPED_TRACE(testing::Message() << "trip " << trip << " members " << members);
  Schedule schedule(trip, members);
  Model model(static_cast<long>(trip), static_cast<long>(members));
  std::vector<uint32_t> busy;
  for (uint32_t m = 0; m < members; ++m) busy.insert(busy.end(), 1 + random() % 4, m);
  while (!busy.empty()) {
    const uint32_t m = busy[random() % busy.size()];
    const Range given = schedule.next(m);
    ASSERT_EQ(model.next(m, given), given);
    if (given.empty()) {
      std::erase(busy, m);
      continue;
    }
    ASSERT_EQ(schedule.lanes[m].k.load(), static_cast<uint64_t>(model.threads[m].k));
    ASSERT_EQ(schedule.lanes[m].d.load(), static_cast<uint64_t>(model.threads[m].d));
  }
  EXPECT_TRUE(model.last_given);
}

// Up to 16 threads the schedule's mean is over all of them (loop/adaptation.hpp).
TEST(PaperIch, IsThePublishedAlgorithm) {
  std::mt19937 random(5);
  for (const uint32_t members : {1, 2, 3, 4, 8, 16})
    for (const uint64_t trip : {1, 2, 17, 100, 1000, 4097}) {
      ASSERT_NO_FATAL_FAILURE(follow(trip, members, random));
    }
}

// By hand: 257 iterations, 64 for each of four threads, the last one apart.
TEST(PaperIch, BeginsWithThePSquaredthPart) {
  Schedule schedule(257, 4);
  EXPECT_EQ(schedule.next(0), (Range{0, 16}));     // 64 / 4
  EXPECT_EQ(schedule.next(1), (Range{64, 80}));    // 64 / 4
  EXPECT_EQ(schedule.next(0), (Range{16, 22}));    // mean 8, 16 > 10.6: d = 8; 48 / 8
  EXPECT_EQ(schedule.next(0), (Range{22, 24}));    // mean 9.5, 22: d = 16; 42 / 16
  EXPECT_EQ(schedule.next(2), (Range{128, 144}));  // new
  EXPECT_EQ(schedule.next(2), (Range{144, 156}));  // mean 14, 16 < 18.6: normal; 48 / 4
  EXPECT_EQ(schedule.next(1), (Range{80, 92}));    // mean 17, 16: normal; 48 / 4
  EXPECT_EQ(schedule.next(3), (Range{192, 208}));  // new
  EXPECT_EQ(schedule.next(2), (Range{156, 165}));  // mean 24, 28 < 31.9: normal; 36 / 4
  EXPECT_EQ(schedule.next(2), (Range{165, 168}));  // mean 26.25, 37 > 34.9: d = 8; 27 / 8
  EXPECT_EQ(schedule.next(2), (Range{168, 169}));  // mean 27, 40: d = 16; 24 / 16
  EXPECT_EQ(schedule.next(3), (Range{208, 232}));  // mean 27.25, 16 < 18.3: d = 2; 48 / 2
}

}  // namespace
}  // namespace vicino::loop
