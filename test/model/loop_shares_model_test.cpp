// event/loop_shares.hpp: the thread that reads an interval sees all that a member has worked in it, and nothing of the
// intervals around it.
#include <algorithm>

#include "event/loop_shares.hpp"
#include "expect.hpp"
#include "sync/event_count.hpp"

namespace vicino::event {
namespace {

using namespace model;  // NOLINT: a test
using sync::EventCount;
using sync::Patience;
using sync::PatienceLimits;

constexpr PatienceLimits kLimits = PatienceLimits::fixed(1000);
constexpr uint64_t kRegion = 7;
// Of each interval; 0: a task that the member runs at the barrier.
constexpr int kLoops[] = {1, 0, 1};

struct Shared {
  SharesOf<2> shares;
  EventCount member, reader;  // the barriers that each has come to
};

const void* place(int interval, int loop) {
  static const char places[16] = {};
  return &places[interval * 4 + loop];
}

void member(Shared& s) {
  s.shares.begin(kRegion);
  uint64_t barrier = 0;
  for (const int loops : kLoops) {
    const auto interval = static_cast<int>(barrier);
    for (int i = 0; i < loops; ++i)
      s.shares.add({place(interval, i), ompt::Work::kStaticLoop, 1, barrier + 100});
    s.shares.end_interval();
    if (loops == 0) s.shares.add({place(interval, 0), ompt::Work::kTasks, 1, barrier + 100});
    s.member.advance(++barrier);
    Patience patience;
    s.reader.wait_for(barrier, patience, kLimits);
    s.shares.leave_barrier();
  }
}

void reader(Shared& s) {
  uint64_t barrier = 0;
  for (const int loops : kLoops) {
    const auto interval = static_cast<int>(barrier);
    const uint64_t mark = (kRegion << 32) + barrier;
    s.reader.advance(++barrier);
    Patience patience;
    s.member.wait_for(barrier, patience, kLimits);
    MODEL_CHECK(s.shares.has(mark));
    int seen = 0;
    s.shares.each(mark, [&](const LoopShare& one) {
      MODEL_CHECK(one.place == place(interval, seen));
      MODEL_CHECK(one.times == 1 && one.ticks == barrier + 99);
      ++seen;
    });
    MODEL_CHECK(seen == std::max(loops, 1));
  }
}

TEST(LoopShares, AreReadAsTheyWereAtTheBarrier) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 1}, [](Stage& stage) {
    auto& s = stage.make<Shared>();
    stage.thread("member", [&s] { member(s); });
    stage.thread("reader", [&s] { reader(s); });
  }));
}

}  // namespace
}  // namespace vicino::event
