// The checker runs small programs with known faults: it finds each fault, none in the repair.
#include "expect.hpp"

namespace vicino::model {
namespace {

using plat::atomic;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto seq_cst = std::memory_order_seq_cst;

// Waits for a flag. The repaired program compares and sleeps in one step, as a futex does; the
// faulty one sleeps whatever value the word has by then.
Result flag(bool compares, bool wakes) {
  return explore({}, [=](Stage& stage) {
    auto& word = stage.make_named<atomic<uint32_t>>("flag", 0u);
    stage.thread("waiter", [&word, compares] {
      while (word.load(acquire) == 0) plat::sleep_on(word, compares ? 0 : word.load(relaxed));
    });
    stage.thread("setter", [&word, wakes] {
      word.store(1, release);
      if (wakes) plat::wake(word);
    });
  });
}

TEST(Checker, LostWakeUp) {
  expect_fails(flag(false, true), "waiter sleeps on flag", 5);  // found with 8, shrunk
  expect_fails(flag(true, false), "waiter sleeps on flag", 4);
  expect_holds(flag(true, true));
}

TEST(Checker, TraceIsShortAndNamesThings) {
  const Result r = flag(true, false);
  EXPECT_EQ(r.steps, 3u) << r.trace;
  EXPECT_EQ(r.switches, 1u) << r.trace;
  for (const char* part : {"waiter", "flag.load(acquire) = 0", "sleep_on(flag, 0)",
                           "flag.store(1, release)", "checker_model_test.cpp:"})
    EXPECT_NE(r.trace.find(part), std::string::npos) << part << " in\n" << r.trace;
}

// Several threads sleep and one wake must reach all of them.
TEST(Checker, WakingOneOfTwoSleepersLosesTheOther) {
  const auto event = [](unsigned woken) {
    return explore({}, [=](Stage& stage) {
      auto& word = stage.make<atomic<uint32_t>>(0u);
      for (const char* name : {"W1", "W2"})
        stage.thread(name, [&word] {
          while (word.load(acquire) == 0) plat::sleep_on(word, 0u);
        });
      stage.thread("S", [&word, woken] { word.store(1, release), plat::wake(word, woken); });
    });
  };
  expect_fails(event(1), "no thread can go on", 8);
  expect_holds(event(2));
}

// A sleep with a time limit ends when no other thread can go on, and not before.
TEST(Checker, TimeLimit) {
  const auto sleep = [](uint64_t most_ns) {
    return explore({.spurious = 0}, [=](Stage& stage) {
      auto& word = stage.make<atomic<uint32_t>>(0u);
      auto& others = stage.make<atomic<uint32_t>>(0u);
      stage.thread("sleeper", [&word, &others, most_ns] {
        plat::sleep_on(word, 0u, most_ns);
        MODEL_CHECK(others.exchange(2, relaxed) == 1);
      });
      stage.thread("other", [&others] { others.store(1, relaxed); });
    });
  };
  expect_holds(sleep(1000));
  expect_fails(sleep(plat::kForever), "sleeper sleeps on", 4);
}

// A lock of one bit, with the orders given.
struct SpinLock {
  atomic<uint32_t> word{0};
  void lock(std::memory_order order) {
    while (word.exchange(1, order) != 0) plat::wait_on(word, 1u, 100);
  }
};

Result spin_lock(std::memory_order taking, std::memory_order leaving) {
  struct Shared {
    SpinLock lock;
    Plain<int> data;
  };
  return explore({}, [=](Stage& stage) {
    auto& s = stage.make<Shared>();
    stage.name(s.data, "payload");
    for (const char* name : {"T1", "T2", "T3"})
      stage.thread(name, [&s, taking, leaving] {
        s.lock.lock(taking);
        s.data.set(s.data.get() + 1);
        s.lock.word.store(0, leaving);
      });
    stage.finally([&s] { MODEL_CHECK(s.data.get() == 3); });
  });
}

TEST(Checker, SpinLockNeedsItsOrders) {
  expect_holds(spin_lock(acquire, release));
  expect_fails(spin_lock(relaxed, release), "data race: read of payload", 8);
  expect_fails(spin_lock(acquire, relaxed), "data race: read of payload", 8);
}

TEST(Checker, RaceOnPlainData) {
  const auto touch = [](bool second_writes) {
    return explore({}, [=](Stage& stage) {
      auto& data = stage.make_named<Plain<int>>("data");
      stage.thread("T1", [&data, second_writes] {
        if (second_writes) data.set(1);
        data.get();
      });
      stage.thread("T2", [&data] { data.get(); });
    });
  };
  expect_fails(touch(true), "data race", 3);
  expect_holds(touch(false));  // readers alone do not race
}

// The building of the scenario comes before all threads, and its last check after all.
TEST(Checker, BuildingAndFinallyDoNotRace) {
  expect_holds(explore({}, [](Stage& stage) {
    auto& data = stage.make<Plain<int>>();
    data.set(1);
    stage.thread("T1", [&data] { data.set(data.get() + 1); });
    stage.finally([&data] { MODEL_CHECK(data.get() == 2); });
  }));
}

// Peterson's lock for two, whose stores and loads must not pass each other.
Result peterson(std::memory_order order) {
  struct Shared {
    atomic<uint32_t> wants[2];
    atomic<uint32_t> turn{0};
    Plain<int> data;
  };
  return explore({}, [=](Stage& stage) {
    auto& s = stage.make<Shared>();
    stage.name(s.wants, "wants");
    stage.name(s.turn, "turn");
    for (uint32_t me : {0u, 1u})
      stage.thread(me == 0 ? "T0" : "T1", [&s, me, order] {
        s.wants[me].store(1, order);
        s.turn.store(1 - me, order);
        while (s.wants[1 - me].load(order) == 1 && s.turn.load(order) == 1 - me) plat::relax();
        s.data.set(s.data.get() + 1);
        s.wants[me].store(0, order == seq_cst ? seq_cst : release);
      });
  });
}

TEST(Checker, PetersonNeedsSeqCst) {
  expect_holds(peterson(seq_cst));
  expect_fails(peterson(relaxed), "data race", 16);
  expect_fails(peterson(acquire), "data race", 16);
}

TEST(Checker, PollingForWhatNobodyBringsIsAHang) {
  expect_fails(explore({},
                       [](Stage& stage) {
                         auto& word = stage.make<atomic<uint32_t>>(0u);
                         stage.thread("T1", [&word] {
                           while (plat::wait_on(word, 0u, 100) == 0) {
                           }
                         });
                         stage.thread("T2", [&word] { word.load(relaxed); });
                       }),
               "polls in vain", 5);
}

// A thread that reads an old value has not waited in vain, however often it polls between reads.
TEST(Checker, ValueReadTooLateIsReadAgain) {
  expect_holds(explore({.preemptions = 2}, [](Stage& stage) {
    auto& word = stage.make<atomic<uint32_t>>(0u);
    auto& other = stage.make<atomic<uint32_t>>(0u);
    stage.thread("T1", [&word, &other] {
      while (word.load(relaxed) == 0) {
        plat::relax();
        plat::wait_on(other, 0u, 100);
      }
    });
    stage.thread("T2", [&word] { word.store(1, relaxed); });
  }));
}

TEST(Checker, LoopWithoutEndIsFound) {
  expect_fails(explore({.max_steps = 50},
                       [](Stage& stage) {
                         auto& word = stage.make<atomic<uint32_t>>(0u);
                         stage.thread("T1", [&word] {
                           for (;;) word.fetch_add(1, relaxed);
                         });
                       }),
               "no end after", 50);
}

TEST(Checker, ScenarioThatIsNotTheSameTwiceIsRefused) {
  int runs = 0;
  const Result r = explore({}, [&runs](Stage& stage) {
    auto& word = stage.make<atomic<uint32_t>>(0u);
    for (int threads = 2 + ++runs % 2; threads > 0; --threads)
      stage.thread("T", [&word] { word.fetch_add(1, relaxed); });
  });
  expect_fails(r, "behaves differently", 10);
}

// The mutants of a correct program whose orders are all needed: each is caught.
TEST(Checker, MutantsAreCaught) {
  const auto [sound, all] = mutants({}, [](Stage& stage) {
    auto& word = stage.make<atomic<uint32_t>>(0u);
    auto& data = stage.make<Plain<int>>();
    stage.thread("T1", [&] { data.set(1), word.store(1, release), plat::wake(word); });
    stage.thread("T2", [&] {
      while (word.load(acquire) == 0) plat::sleep_on(word, 0u);
      MODEL_CHECK(data.get() == 1);
    });
  });
  expect_holds(sound);
  EXPECT_EQ(all.size(), 3u);
  for (const Mutant& mutant : all) EXPECT_TRUE(mutant.result.failed) << mutant.what;
}

TEST(Checker, RmwThatIsNotAtomicIsCaught) {
  const auto [sound, all] = mutants({}, [](Stage& stage) {
    auto& word = stage.make<atomic<uint32_t>>(0u);
    auto& winners = stage.make<atomic<uint32_t>>(0u);
    for (const char* name : {"T1", "T2"})
      stage.thread(name, [&] {
        uint32_t expected = 0;
        if (word.compare_exchange_strong(expected, 1, relaxed)) winners.fetch_add(1, relaxed);
        winners.fetch_add(2, relaxed);
      });
    stage.finally([&] { MODEL_CHECK(winners.load(relaxed) == 5); });
  });
  expect_holds(sound);
  EXPECT_EQ(all.size(), 3u);
  for (const Mutant& mutant : all) EXPECT_TRUE(mutant.result.failed) << mutant.what;
}

// An order that is stronger than necessary is shown as such.
TEST(Checker, MutantThatMakesNoDifferenceIsNotCaught) {
  const auto [sound, all] = mutants({}, [](Stage& stage) {
    auto& word = stage.make<atomic<uint32_t>>(0u);
    stage.thread("T1", [&] { word.store(1, release); });
  });
  expect_holds(sound);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_FALSE(all[0].result.failed);
  EXPECT_NE(all[0].what.find("release -> relaxed"), std::string::npos) << all[0].what;
}

// The checker must not take the state after a step that changes nothing for the state before it.
TEST(Checker, StepsWithoutEffectAreNotMerged) {
  expect_fails(explore({},
                       [](Stage& stage) {
                         auto& word = stage.make<atomic<uint32_t>>(0u);
                         for (const char* name : {"T1", "T2"})
                           stage.thread(name, [&word] {
                             plat::wake(word);
                             plat::wake(word);
                             MODEL_CHECK(word.load(relaxed) == 1);
                           });
                       }),
               "word.load(relaxed) == 1", 3);
}

// Merging equal states must not hide anything: every outcome of the full search is an outcome of
// the merged search. Here: all orders of two increments by two and a doubling.
TEST(Checker, OutcomesSurviveTheMergingOfStates) {
  bool seen[64] = {};
  const Result r = explore({.preemptions = 8, .stale_reads = 0}, [&seen](Stage& stage) {
    auto& x = stage.make<atomic<uint32_t>>(1u);
    stage.thread("T1", [&x] { x.fetch_add(2, relaxed), x.fetch_add(2, relaxed); });
    stage.thread("T2", [&x] { x.store(x.load(relaxed) * 2, relaxed); });
    stage.finally([&x, &seen] { seen[x.load(relaxed)] = true; });
  });
  expect_holds(r);
  for (unsigned outcome : {2u, 4u, 6u, 10u}) EXPECT_TRUE(seen[outcome]) << outcome;
}

}  // namespace
}  // namespace vicino::model
