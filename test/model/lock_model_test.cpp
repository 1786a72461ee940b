// sync/lock.hpp: one owner at a time, no sleeper is forgotten, each owner sees the writes of the
// one before.
#include "spares.hpp"
#include "sync/lock.hpp"

namespace vicino::sync {
namespace {

using namespace model;  // NOLINT: a test

template <class L>
struct Shared {
  L lock;
  Plain<int> data;
};

template <class L>
Shared<L>& shared(Stage& stage) {
  auto& s = stage.make<Shared<L>>();
  stage.name(s.lock, "lock");
  stage.name(s.data, "data");
  return s;
}

void count_up(Plain<int>& data) { data.set(data.get() + 1); }

// Each thread takes the lock `times` times; a budget of 0 sleeps without polling.
void in_turn(Stage& stage, int threads, int times, uint64_t spin_ns) {
  auto& s = shared<Lock>(stage);
  for (int t = 1; t <= threads; ++t)
    stage.thread(numbered("T", t), [&s, times, spin_ns] {
      for (int i = 0; i < times; ++i) {
        s.lock.acquire({spin_ns});
        count_up(s.data);
        s.lock.release();
      }
    });
  stage.finally([&s, threads, times] {
    MODEL_CHECK(s.data.get() == threads * times);
    MODEL_CHECK(!s.lock.held());
  });
}

TEST(Lock, TwoThreadsTwiceSleeping) {
  expect_holds(explore({}, [](Stage& stage) { in_turn(stage, 2, 2, 0); }));
}

TEST(Lock, TwoThreadsTwicePolling) {
  expect_holds(explore({}, [](Stage& stage) { in_turn(stage, 2, 2, 1000); }));
}

TEST(Lock, ThreeThreadsSleeping) {
  expect_holds(explore({}, [](Stage& stage) { in_turn(stage, 3, 1, 0); }));
}

TEST(Lock, ThreeThreadsPolling) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 1},
                       [](Stage& stage) { in_turn(stage, 3, 1, 1000); }));
}

TEST(Lock, Mutants) {
  expect_caught(mutants({}, [](Stage& stage) { in_turn(stage, 2, 2, 1000); }), {kLockSpare});
}

// A thread that finds the lock taken does not wait.
void trying(Stage& stage) {
  auto& s = shared<Lock>(stage);
  for (const char* name : {"T1", "T2"})
    stage.thread(name, [&s] {
      for (int i = 0; i < 2; ++i)
        if (s.lock.try_acquire()) {
          count_up(s.data);
          s.lock.release();
        }
    });
  stage.finally([&s] { MODEL_CHECK(s.data.get() >= 2); });
}

TEST(Lock, Trying) { expect_holds(explore({}, trying)); }

// Two owners, each of which takes the lock twice; the inner take must not wait for the outer one.
void nested(Stage& stage) {
  auto& s = shared<NestLock>(stage);
  for (const uint16_t owner : {uint16_t{1}, uint16_t{2}})
    stage.thread(numbered("T", owner), [&s, owner] {
      MODEL_CHECK(s.lock.acquire(owner, [] { return plat::Budget{0}; }) == 1);
      MODEL_CHECK(s.lock.try_acquire(owner) == 2);
      count_up(s.data);
      MODEL_CHECK(s.lock.release() == 1);
      count_up(s.data);
      MODEL_CHECK(s.lock.release() == 0);
      if (s.lock.try_acquire(owner) > 0) {
        count_up(s.data);
        MODEL_CHECK(s.lock.release() == 0);
      }
    });
  stage.finally([&s] { MODEL_CHECK(s.data.get() >= 5); });
}

TEST(NestLock, TwoOwners) { expect_holds(explore({}, nested)); }

TEST(NestLock, Mutants) { expect_caught(mutants({}, nested)); }

}  // namespace
}  // namespace vicino::sync
