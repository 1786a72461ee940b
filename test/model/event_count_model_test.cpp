// sync/event_count.hpp: no wake-up is lost, and what was written before an advance is seen after
// it.
#include "spares.hpp"
#include "sync/event_count.hpp"

namespace vicino::sync {
namespace {

using namespace model;  // NOLINT: a test

constexpr PatienceLimits kLimits = PatienceLimits::fixed(1000);

struct Shared {
  EventCount event;
  Plain<int> data;
};

Shared& shared(Stage& stage) {
  auto& s = stage.make<Shared>();
  stage.name(s.event, "event");
  stage.name(s.data, "data");
  return s;
}

void wait_and_read(Shared& s, uint64_t least) {
  Patience patience;
  MODEL_CHECK(s.event.wait_for(least, patience, kLimits) >= least);
  MODEL_CHECK(s.data.get() >= 1);
}

// One thread advances the event count, some wait.
void one_opening(Stage& stage, int waiters) {
  auto& s = shared(stage);
  stage.thread("opener", [&s] { s.data.set(1), s.event.advance(1); });
  for (int i = 0; i < waiters; ++i)
    stage.thread(numbered("waiter", i), [&s] { wait_and_read(s, 1); });
}

// Two advances: a waiter that needs the second may see, sleep on or miss the first.
void two_openings(Stage& stage) {
  auto& s = shared(stage);
  stage.thread("opener", [&s] { s.data.set(1), s.event.advance(1), s.event.advance(2); });
  stage.thread("first", [&s] { wait_and_read(s, 1); });
  stage.thread("second", [&s] { wait_and_read(s, 2); });
}

TEST(EventCount, OneWaiter) {
  const Result r = explore({.preemptions = 9, .stale_reads = 9, .spurious = 3},
                           [](Stage& stage) { one_opening(stage, 1); });
  expect_holds(r);
}

TEST(EventCount, TwoWaiters) {
  expect_holds(explore({}, [](Stage& stage) { one_opening(stage, 2); }));
}

TEST(EventCount, TwoOpenings) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 1}, two_openings));
}

TEST(LongGate, TwoOpenings) {
  expect_holds(explore({.stale_reads = 3, .spurious = 2}, two_openings));
}

// Two threads try to advance from 0: one succeeds, and the thread that waits for its value wakes.
void opening_from(Stage& stage) {
  auto& s = shared(stage);
  auto& won = stage.make<plat::atomic<int>>(0);
  for (const char* name : {"A", "B"})
    stage.thread(name, [&s, &won] {
      if (!s.event.advance_from(0, 1)) return;
      won.fetch_add(1, std::memory_order_relaxed);
      s.data.set(1);
      s.event.advance(2);
    });
  stage.thread("waiter", [&s] { wait_and_read(s, 2); });
  stage.finally([&won] { MODEL_CHECK(won.load(std::memory_order_relaxed) == 1); });
}

TEST(EventCount, OpeningFrom) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 1}, opening_from));
}

TEST(EventCount, Mutants) {
  expect_caught(mutants({}, [](Stage& stage) { one_opening(stage, 2); }), {kGateSpare});
}

}  // namespace
}  // namespace vicino::sync
