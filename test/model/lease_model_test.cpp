// tune/lease.hpp: one execution at a time has the lease, and it sees what earlier holders have
// learnt.
#include <array>

#include "spares.hpp"
#include "tune/lease.hpp"

namespace vicino::tune {
namespace {

using namespace model;  // NOLINT: a test

struct Shared {
  Lease lease;
  Plain<int> learnt;                // two holders at once would race
  std::array<Plain<int>, 3> added;  // by thread
};

// Each thread asks `times` times, and learns something whenever it gets the lease.
void executions(Stage& stage, int threads, int times) {
  auto& s = stage.make_named<Shared>("site");
  for (int t = 0; t < threads; ++t)
    stage.thread(numbered("T", t), [&s, t, times] {
      for (int i = 0; i < times; ++i) {
        const Lease::Token token = s.lease.take();
        if (token == Lease::kNone) continue;
        MODEL_CHECK(s.lease.is_held_by(token));
        s.learnt.set(s.learnt.get() + 1);
        auto& mine = s.added[static_cast<size_t>(t)];
        mine.set(mine.get() + 1);
        s.lease.give_back(token);
        MODEL_CHECK(!s.lease.is_held_by(token));
      }
    });
  stage.finally([&s, threads] {
    int sum = 0;
    for (int t = 0; t < threads; ++t) sum += s.added[static_cast<size_t>(t)].get();
    MODEL_CHECK(s.learnt.get() == sum && sum > 0);
    MODEL_CHECK(s.lease.take() != Lease::kNone);  // all have given it back
  });
}

TEST(Lease, TwoThreadsThreeExecutions) {
  expect_holds(
      explore({.preemptions = 4, .stale_reads = 4}, [](Stage& stage) { executions(stage, 2, 3); }));
}

TEST(Lease, ThreeThreadsTwoExecutions) {
  expect_holds(
      explore({.preemptions = 2, .stale_reads = 1}, [](Stage& stage) { executions(stage, 3, 2); }));
}

TEST(Lease, Mutants) {
  expect_caught(
      mutants({.preemptions = 3, .stale_reads = 3}, [](Stage& stage) { executions(stage, 2, 2); }),
      {{"Lease::give_back", "not atomic", "only the holder writes, unless its lease was lost"},
       {"Lease::take", "not atomic", "the number of requests in vain may miss some"}});
}

}  // namespace
}  // namespace vicino::tune
