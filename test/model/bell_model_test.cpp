// sync/bell.hpp: a thread that waits for something else sets the bit again, or goes on: no ring is lost.
#include <array>

#include "expect.hpp"
#include "sync/bell.hpp"

namespace vicino::sync {
namespace {

using namespace model;  // NOLINT: a test

struct Shared {
  Bell bell;
  std::array<plat::atomic<int>, 2> told{};
  Plain<int> data;
};

Shared& shared(Stage& stage) {
  auto& s = stage.make<Shared>();
  stage.name(s.bell, "bell");
  for (auto& word : s.told) stage.name(word, "told");
  stage.name(s.data, "data");
  return s;
}

void tell(Shared& s, size_t what) {
  s.told[what].store(1, std::memory_order_release);
  s.bell.ring();
}
void await(Shared& s, size_t what) {
  const auto done = [&] { return s.told[what].load(std::memory_order_acquire) != 0; };
  while (!done()) s.bell.sleep(done, plat::kForever);
}

void one_thing(Stage& stage, int waiters) {
  auto& s = shared(stage);
  stage.thread("source", [&s] { s.data.set(1), tell(s, 0); });
  for (int i = 0; i < waiters; ++i)
    stage.thread(numbered("sink", i), [&s] { await(s, 0), MODEL_CHECK(s.data.get() == 1); });
}

// The second thing is told by the thread that waits for the first.
void two_things(Stage& stage) {
  auto& s = shared(stage);
  stage.thread("source", [&s] { tell(s, 0); });
  stage.thread("first", [&s] { await(s, 0), tell(s, 1); });
  stage.thread("second", [&s] { await(s, 1); });
}

TEST(Bell, OneWaiter) {
  expect_holds(explore({.preemptions = 9, .stale_reads = 9, .spurious = 2},
                       [](Stage& stage) { one_thing(stage, 1); }));
}
TEST(Bell, TwoWaiters) {
  expect_holds(
      explore({.preemptions = 3, .stale_reads = 2}, [](Stage& stage) { one_thing(stage, 2); }));
}
TEST(Bell, TwoThings) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 2}, two_things));
}
TEST(LongBell, TwoThings) {
  expect_holds(explore({.preemptions = 4, .stale_reads = 3, .spurious = 1}, two_things));
}

}  // namespace
}  // namespace vicino::sync
