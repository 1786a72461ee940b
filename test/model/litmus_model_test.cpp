// The checker runs litmus tests: it finds what the memory model allows, not what it forbids.
#include "expect.hpp"

namespace vicino::model {
namespace {

using plat::atomic;
using std::memory_order;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto seq_cst = std::memory_order_seq_cst;

struct TwoWords {
  atomic<int> x{0}, y{0};
  int r1 = -1, r2 = -1;  // one per thread
};

TwoWords& two_words(Stage& stage) {
  auto& s = stage.make<TwoWords>();
  stage.name(s.x, "x");
  stage.name(s.y, "y");
  return s;
}

// Store buffering: may each thread miss the other thread's store?
Result store_buffering(memory_order store, memory_order load) {
  return explore({}, [=](Stage& stage) {
    auto& s = two_words(stage);
    stage.thread("T1", [&s, store, load] { s.x.store(1, store), s.r1 = s.y.load(load); });
    stage.thread("T2", [&s, store, load] { s.y.store(1, store), s.r2 = s.x.load(load); });
    stage.finally([&s] { MODEL_CHECK(s.r1 == 1 || s.r2 == 1); });
  });
}

TEST(Litmus, StoreBufferingNeedsSeqCst) {
  expect_fails(store_buffering(relaxed, relaxed), "s.r1 == 1 || s.r2 == 1", 4);
  expect_fails(store_buffering(release, acquire), "s.r1 == 1 || s.r2 == 1", 4);
  expect_fails(store_buffering(seq_cst, relaxed), "s.r1 == 1 || s.r2 == 1", 4);
  expect_holds(store_buffering(seq_cst, seq_cst));
}

// Message passing: does a thread that sees the flag see the data written before it?
Result message_passing(memory_order store, memory_order load) {
  return explore({}, [=](Stage& stage) {
    auto& s = two_words(stage);
    stage.thread("T1", [&s, store] { s.x.store(1, relaxed), s.y.store(1, store); });
    stage.thread("T2", [&s, load] {
      if (s.y.load(load) == 1) MODEL_CHECK(s.x.load(relaxed) == 1);
    });
  });
}

TEST(Litmus, MessagePassingNeedsReleaseAndAcquire) {
  expect_fails(message_passing(relaxed, relaxed), "s.x.load(relaxed) == 1", 4);
  expect_fails(message_passing(release, relaxed), "s.x.load(relaxed) == 1", 4);
  expect_fails(message_passing(relaxed, acquire), "s.x.load(relaxed) == 1", 4);
  expect_holds(message_passing(release, acquire));
  EXPECT_TRUE(message_passing(release, acquire).unbounded);
}

// Message passing by fences instead of orders on the accesses.
Result message_passing_by_fences(bool first, bool second) {
  return explore({}, [=](Stage& stage) {
    auto& s = two_words(stage);
    stage.thread("T1", [&s, first] {
      s.x.store(1, relaxed);
      if (first) fence(release);
      s.y.store(1, relaxed);
    });
    stage.thread("T2", [&s, second] {
      const bool seen = s.y.load(relaxed) == 1;
      if (second) fence(acquire);
      if (seen) MODEL_CHECK(s.x.load(relaxed) == 1);
    });
  });
}

TEST(Litmus, MessagePassingByFencesNeedsBoth) {
  expect_fails(message_passing_by_fences(false, true), "s.x.load(relaxed) == 1", 5);
  expect_fails(message_passing_by_fences(true, false), "s.x.load(relaxed) == 1", 5);
  expect_holds(message_passing_by_fences(true, true));
}

Result store_buffering_by_fences(memory_order order) {
  return explore({}, [=](Stage& stage) {
    auto& s = two_words(stage);
    stage.thread("T1",
                 [&s, order] { s.x.store(1, relaxed), fence(order), s.r1 = s.y.load(relaxed); });
    stage.thread("T2",
                 [&s, order] { s.y.store(1, relaxed), fence(order), s.r2 = s.x.load(relaxed); });
    stage.finally([&s] { MODEL_CHECK(s.r1 == 1 || s.r2 == 1); });
  });
}

TEST(Litmus, StoreBufferingByFencesNeedsSeqCst) {
  expect_fails(store_buffering_by_fences(std::memory_order_acq_rel), "s.r1 == 1", 6);
  expect_holds(store_buffering_by_fences(seq_cst));
}

// A thread never reads an older value of a location after a newer one.
TEST(Litmus, OneLocationIsCoherent) {
  expect_holds(explore({}, [](Stage& stage) {
    auto& x = stage.make<atomic<int>>(0);
    stage.thread("T1", [&x] { x.store(1, relaxed), x.store(2, relaxed); });
    stage.thread("T2", [&x] {
      const int first = x.load(relaxed);
      MODEL_CHECK(x.load(relaxed) >= first);
    });
  }));
}

// An RMW by a third thread between release and acquire keeps the message; a store loses it.
Result release_sequence(bool by_rmw) {
  return explore({}, [=](Stage& stage) {
    auto& s = two_words(stage);
    stage.thread("T1", [&s] { s.x.store(1, relaxed), s.y.store(1, release); });
    stage.thread("T2", [&s, by_rmw] {
      if (by_rmw)
        s.y.fetch_add(2, relaxed);
      else if (s.y.load(relaxed) == 1)
        s.y.store(3, relaxed);
    });
    stage.thread("T3", [&s] {
      if (s.y.load(acquire) == 3) MODEL_CHECK(s.x.load(relaxed) == 1);
    });
  });
}

TEST(Litmus, ReleaseSequenceGoesThroughAnRmwOnly) {
  expect_holds(release_sequence(true));
  expect_fails(release_sequence(false), "s.x.load(relaxed) == 1", 6);
}

// Independent reads of independent writes: do two readers agree on the order of two stores?
Result independent_reads(memory_order store, memory_order load) {
  struct Four : TwoWords {
    int r3 = -1, r4 = -1;
  };
  return explore({}, [=](Stage& stage) {
    auto& s = stage.make<Four>();
    stage.thread("T1", [&s, store] { s.x.store(1, store); });
    stage.thread("T2", [&s, store] { s.y.store(1, store); });
    stage.thread("T3", [&s, load] { s.r1 = s.x.load(load), s.r2 = s.y.load(load); });
    stage.thread("T4", [&s, load] { s.r3 = s.y.load(load), s.r4 = s.x.load(load); });
    stage.finally([&s] { MODEL_CHECK(!(s.r1 == 1 && s.r2 == 0 && s.r3 == 1 && s.r4 == 0)); });
  });
}

TEST(Litmus, IndependentReadsAgreeUnderSeqCstOnly) {
  expect_fails(independent_reads(release, acquire), "s.r1 == 1", 6);
  expect_holds(independent_reads(seq_cst, seq_cst));
  expect_holds(independent_reads(release, seq_cst));  // by C++20's order of seq_cst loads
}

TEST(Litmus, IncrementIsLostUnlessAtomic) {
  const auto count = [](bool atomically) {
    return explore({}, [=](Stage& stage) {
      auto& x = stage.make<atomic<uint32_t>>(0u);
      for (const char* name : {"T1", "T2"})
        stage.thread(name, [&x, atomically] {
          if (atomically)
            x.fetch_add(1, relaxed);
          else
            x.store(x.load(relaxed) + 1, relaxed);
        });
      stage.finally([&x] { MODEL_CHECK(x.load(relaxed) == 2); });
    });
  };
  expect_fails(count(false), "x.load(relaxed) == 2", 5);
  expect_holds(count(true));
}

// A weak compare_exchange may fail although the value matches; a strong one may not.
TEST(Litmus, OnlyWeakCompareExchangeFailsForNoReason) {
  const auto once = [](bool weak) {
    return explore({}, [=](Stage& stage) {
      auto& x = stage.make<atomic<bool>>(false);
      stage.thread("T1", [&x, weak] {
        bool expected = false;
        MODEL_CHECK(weak ? x.compare_exchange_weak(expected, true, relaxed)
                         : x.compare_exchange_strong(expected, true, relaxed));
      });
    });
  };
  expect_fails(once(true), "compare_exchange_weak", 1);
  expect_holds(once(false));
}

// A compare_exchange that fails is a load, so it may read an old value.
TEST(Litmus, FailedCompareExchangeMayBeStale) {
  expect_fails(explore({},
                       [](Stage& stage) {
                         auto& s = two_words(stage);
                         stage.thread("T1", [&s] { s.x.store(1, relaxed), s.y.store(1, relaxed); });
                         stage.thread("T2", [&s] {
                           if (s.y.load(relaxed) == 0) return;
                           int expected = 7;
                           s.x.compare_exchange_strong(expected, 8, relaxed);
                           MODEL_CHECK(expected == 1);
                         });
                       }),
               "expected == 1", 4);
}

}  // namespace
}  // namespace vicino::model
