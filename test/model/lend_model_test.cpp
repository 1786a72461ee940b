// lend/board.hpp: owners lend a core and return, borrowers take it and leave; one borrower at a time,
// and a borrower that must leave is told so. lend/bell.hpp: a rank that sleeps in a wait is woken.
#include <array>
#include <optional>

#include "lend/bell.hpp"
#include "lend/board.hpp"
#include "spares.hpp"

namespace vicino::lend {
namespace {

using namespace model;  // NOLINT: a test

constexpr int kCpu = 0, kOwner = 0;
constexpr uint64_t kBegin = 1, kReturn = 7;  // times

struct Shared {
  Board<2, 4> board;
  Plain<int> left_by_owner;  // before the first lending
  Plain<int> used;           // by the borrower: two at once would race
  plat::atomic<int> lives{0};
  plat::atomic<uint32_t> told{0};  // how many owners have returned
};

void use(Shared& s) { s.used.set(s.used.get() + 1); }

// Takes the core if it can, uses it, and leaves it: because it is wanted back, or by itself.
void borrow_once(Shared& s, int rank) {
  if (!s.board.borrow(kCpu, rank)) return;
  MODEL_CHECK(s.left_by_owner.get() == 1);
  use(s);
  const std::optional<uint64_t> since = s.board.give_back(kCpu, rank);
  MODEL_CHECK(!since || *since >= kReturn);
}

// The owner lends its core `times` times; each borrower tries once.
void lendings(Stage& stage, int borrowers, int times) {
  auto& s = stage.make_named<Shared>("shared");
  stage.thread("owner", [&s, times] {
    MODEL_CHECK(s.board.claim(kCpu, kOwner, kBegin));
    s.left_by_owner.set(1);
    for (int i = 0; i < times; ++i) {
      s.board.lend(kCpu);
      s.board.announce();
      s.board.take_back(kCpu, kReturn + static_cast<uint64_t>(i));
      MODEL_CHECK(s.board.core(kCpu).is_used_by_owner());
    }
  });
  for (int b = 1; b <= borrowers; ++b)
    stage.thread(numbered("B", b), [&s, b] { borrow_once(s, b); });
  stage.finally([&s] {
    const Core core = s.board.core(kCpu);
    MODEL_CHECK(core.is_used_by_owner() && core.borrower() == -1 && core.owner() == kOwner);
  });
}

TEST(Lend, TwoBorrowers) {
  expect_holds(
      explore({.preemptions = 3, .stale_reads = 2}, [](Stage& stage) { lendings(stage, 2, 2); }));
}

// Rank 3 has borrowed the cores of two others.
Shared& two_borrowed(Stage& stage) {
  auto& s = stage.make_named<Shared>("shared");
  for (const int cpu : {0, 1}) {
    s.board.claim(cpu, cpu, kBegin);
    s.board.lend(cpu);
    MODEL_CHECK(s.board.borrow(cpu, 3));
  }
  return s;
}

// I4: a borrower that looks whether it is told gives both cores back, in one go or in two. `anew`: the
// owners were killed, and begin anew.
void leaving(Stage& stage, bool anew) {
  auto& s = two_borrowed(stage);
  for (const int owner : {0, 1})
    stage.thread(numbered("owner", owner), [&s, owner, anew] {
      if (anew)
        MODEL_CHECK(s.board.claim(owner, owner, kReturn));
      else
        MODEL_CHECK(s.board.take_back(owner, kReturn) == 3);
      s.told.fetch_add(1, std::memory_order_release);
      plat::wake(s.told);
    });
  stage.thread("borrower", [&s] {
    for (int has = 2; has > 0;) {
      const uint32_t told = s.told.load(std::memory_order_acquire);
      if (!s.board.wanted(3)) {
        plat::sleep_on(s.told, told);
        continue;
      }
      s.board.heed(3);
      for (const int cpu : {0, 1}) {
        if (s.board.core(cpu).borrower() != 3 || !s.board.must_leave(cpu, 3)) continue;
        MODEL_CHECK(s.board.give_back(cpu, 3) == kReturn);
        --has;
      }
    }
  });
}

TEST(Lend, OwnersReturn) {
  expect_holds(explore({.preemptions = 3, .stale_reads = 3}, [](Stage& s) { leaving(s, false); }));
}
TEST(Lend, OwnersBeginAnew) {
  expect_holds(explore({.preemptions = 3, .stale_reads = 3}, [](Stage& s) { leaving(s, true); }));
}

// I5: a rank that has looked at all cores and finds no news has missed nothing.
void news(Stage& stage) {
  auto& s = two_borrowed(stage);
  auto& looked_at = stage.make_named<Plain<uint64_t>>("looked_at");
  auto& has = stage.make_named<Plain<int>>("has");
  for (const int cpu : {0, 1})
    stage.thread(numbered("give", cpu), [&s, cpu] { s.board.give_back(cpu, 3); });
  stage.thread("B2", [&s, &looked_at, &has] {
    for (int tries = 0; tries < 2; ++tries) {
      looked_at.set(s.board.lent());
      for (const int cpu : {0, 1})
        if (s.board.borrow(cpu, 2)) has.set(has.get() + 1);
    }
  });
  stage.finally(
      [&s, &looked_at, &has] { MODEL_CHECK(has.get() == 2 || s.board.lent() != looked_at.get()); });
}

TEST(Lend, NewsIsNotMissed) { expect_holds(explore({.preemptions = 3, .stale_reads = 3}, news)); }

// I1: of two ranks that claim a core one is its owner, and nobody borrows it.
void claiming(Stage& stage) {
  auto& s = stage.make_named<Shared>("shared");
  for (const int rank : {0, 1})
    stage.thread(numbered("T", rank), [&s, rank] {
      s.board.claim(kCpu, rank, kBegin);
      s.board.lend(kCpu);
    });
  stage.finally([&s] {
    MODEL_CHECK(s.board.core(kCpu).is_contested());
    MODEL_CHECK(!s.board.borrow(kCpu, 2));
  });
}

TEST(Lend, ACoreOfTwoRanks) { expect_holds(explore({}, claiming)); }

// A dead borrower's core is seized by one of two ranks, while a rank with the dead one's number is
// started anew, clears what it finds, and borrows the same core.
void seizing(Stage& stage) {
  auto& s = stage.make_named<Shared>("shared");
  s.board.claim(kCpu, kOwner, kBegin);
  s.board.lend(kCpu);
  MODEL_CHECK(s.board.borrow(kCpu, 1));  // by a rank that is dead
  for (const int rank : {2, 3})
    stage.thread(numbered("B", rank), [&s, rank] {
      const Core seen = s.board.core(kCpu);
      if (seen.borrower() != 1 || s.lives.load() != 0 || !s.board.seize(kCpu, rank, seen)) return;
      use(s);
      s.board.give_back(kCpu, rank);
    });
  stage.thread("B1", [&s] {
    s.lives.store(1);
    s.board.give_back(kCpu, 1);
    if (!s.board.borrow(kCpu, 1)) return;
    use(s);
    s.board.give_back(kCpu, 1);
  });
  stage.finally([&s] { MODEL_CHECK(s.board.core(kCpu).borrower() == -1); });
}

TEST(Lend, TheDeadAreReplaced) {
  expect_holds(explore({.preemptions = 3, .stale_reads = 2}, seizing));
}

// I3 of bell.hpp. The waits of an owner that only a ring ends: in the model a thread sleeps until it is woken.
struct Wait {
  plat::atomic<uint32_t> bell{0};
  plat::atomic<int> messages{0};  // relaxed: what is waited for may be ordered by the bell alone
};
// Each of the borrowers calls its thread up on the owner's core, sends a message, and comes to a wait.
void borrowers(Stage& stage, Wait& w, int count) {
  for (int b = 1; b <= count; ++b)
    stage.thread(numbered("B", b), [&w] {
      tell(w.bell);
      w.messages.fetch_add(1, std::memory_order_relaxed);
      ring(w.bell, [](auto& bell) { plat::wake(bell); });
    });
}

void ringing(Stage& stage, int count) {
  auto& w = stage.make_named<Wait>("wait");
  stage.thread("owner", [&w, count] {
    await(
        w.bell, [&] { return w.messages.load(std::memory_order_relaxed) == count; },
        [&w](uint32_t heard) { plat::sleep_on(w.bell, heard); });
  });
  borrowers(stage, w, count);
}

TEST(Lend, ARingIsNotLost) {
  expect_holds(explore({.preemptions = 9, .stale_reads = 9, .spurious = 3},
                       [](Stage& stage) { ringing(stage, 1); }));
  expect_holds(explore({.preemptions = 4, .stale_reads = 4, .spurious = 1},
                       [](Stage& stage) { ringing(stage, 2); }));
}

// I1: an owner that looks first, and hears then, sleeps when the message has come.
TEST(Lend, WhoLooksBeforeItHearsLosesARing) {
  const Result r = explore({}, [](Stage& stage) {
    auto& w = stage.make_named<Wait>("wait");
    stage.thread("owner", [&w] {
      while (w.messages.load(std::memory_order_relaxed) == 0)
        plat::sleep_on(w.bell, w.bell.load(std::memory_order_acquire));
    });
    borrowers(stage, w, 1);
  });
  expect_fails(r, "no thread can go on", 16);
}

TEST(LongLend, Mutants) {
  const auto returns = [](Stage& stage) { leaving(stage, false); };
  const auto begins_anew = [](Stage& stage) { leaving(stage, true); };
  std::vector<Mutants> all;
  all.push_back(
      mutants({.preemptions = 3, .stale_reads = 2}, [](Stage& stage) { lendings(stage, 2, 2); }));
  all.push_back(mutants({.preemptions = 3, .stale_reads = 3}, returns));
  all.push_back(mutants({.preemptions = 3, .stale_reads = 3}, begins_anew));
  all.push_back(mutants({.preemptions = 3, .stale_reads = 3}, news));
  all.push_back(mutants({}, claiming));
  all.push_back(mutants({.preemptions = 3, .stale_reads = 2}, seizing));
  all.push_back(
      mutants({.preemptions = 3, .stale_reads = 3}, [](Stage& stage) { ringing(stage, 1); }));
  all.push_back(
      mutants({.preemptions = 3, .stale_reads = 3}, [](Stage& stage) { ringing(stage, 2); }));
  expect_caught(together(std::move(all)));
}

}  // namespace
}  // namespace vicino::lend
