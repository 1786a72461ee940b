// loop/departures.hpp: one of the members that depart is the last, it sees what all have done before,
// and then the count can begin again.
#include "loop/departures.hpp"
#include "spares.hpp"

namespace vicino::loop {
namespace {

using namespace model;  // NOLINT: a test

constexpr uint32_t kMembers = 3;

struct Left {
  plat::atomic<uint32_t> all{0};
  Departures<2, 2> departures;  // a group of two members, and one of one
  Plain<int> done[kMembers];
  Plain<int> ends;
  plat::atomic<int> round{0};
};

void depart_twice(Stage& stage) {
  auto& left = stage.make_named<Left>("left");
  for (uint32_t m = 0; m < kMembers; ++m)
    stage.thread(numbered("T", static_cast<int>(m)), [&left, m] {
      for (int round = 1; round <= 2; ++round) {
        left.done[m].set(round);
        if (left.departures.depart(left.all, m, kMembers)) {
          for (auto& done : left.done) MODEL_CHECK(done.get() == round);
          MODEL_CHECK(left.ends.get() == round - 1);
          left.ends.set(round);
          left.round.store(round, std::memory_order_release);
        } else if (left.round.load(std::memory_order_acquire) != round) {
          return;  // this member does without the second round, and so nobody is its last
        }
      }
    });
  stage.finally([&left] {
    MODEL_CHECK(left.ends.get() >= 1);
    MODEL_CHECK(left.ends.get() == left.round.load(std::memory_order_relaxed));
  });
}

TEST(Departures, TheLastOfTwoGroups) {
  expect_holds(explore({.preemptions = 3, .stale_reads = 1}, depart_twice));
}

TEST(Departures, Mutants) {
  expect_caught(mutants({.preemptions = 2, .stale_reads = 1}, depart_twice), {});
}

}  // namespace
}  // namespace vicino::loop
