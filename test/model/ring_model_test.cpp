// loop/ring.hpp: a loop's slot is set up once, before any member uses it and after all members have
// left the loop that had it before; and the turns of an ordered loop follow each other.
#include <array>

#include "loop/ring.hpp"
#include "spares.hpp"

namespace vicino::loop {
namespace {

using namespace model;  // NOLINT: a test

constexpr sync::PatienceLimits kLimits = sync::PatienceLimits::fixed(1000);

// A ring smaller than the real one, so that a few loops go round it.
template <int Slots>
struct SmallRing {
  std::array<Slot, Slots> slots;
  std::array<Plain<uint64_t>, Slots> state;  // lies in the slot like a schedule's shared object
  std::array<Plain<int>, 4> set_up;          // for each loop: how often it was set up
};

// Each member runs the same loops and may be ahead of the others.
template <int Slots>
void loops(Stage& stage, uint32_t members, uint64_t count) {
  auto& ring = stage.make_named<SmallRing<Slots>>("ring");
  stage.name(ring.state, "state");
  for (uint32_t m = 0; m < members; ++m)
    stage.thread(numbered("T", static_cast<int>(m)), [&ring, m, members, count] {
      sync::Patience patience;
      for (uint64_t s = 0; s < count; ++s) {
        Slot& slot = ring.slots[s % Slots];
        auto& state = ring.state[s % Slots];
        slot.enter(
            s,
            [&](Slot&) {
              state.set(s);
              ring.set_up[s].set(ring.set_up[s].get() + 1);
            },
            {patience, kLimits}, [] { return false; });
        MODEL_CHECK(state.get() == s);
        slot.leave(m, members);
      }
    });
  stage.finally([&ring, count] {
    for (uint64_t s = 0; s < count; ++s) MODEL_CHECK(ring.set_up[s].get() == 1);
  });
}

template <int Slots>
Result go_round(const Bounds& bounds, uint32_t members, uint64_t count) {
  return explore(bounds, [=](Stage& stage) { loops<Slots>(stage, members, count); });
}

TEST(Ring, TwoMembersOneSlot) {
  expect_holds(go_round<1>({.preemptions = 2, .stale_reads = 1}, 2, 2));
}

TEST(Ring, TwoMembersTwoSlots) {
  expect_holds(go_round<2>({.preemptions = 1, .stale_reads = 1}, 2, 3));
}

TEST(Ring, ThreeMembersOneSlot) {
  expect_holds(go_round<1>({.preemptions = 1, .stale_reads = 0, .spurious = 0}, 3, 2));
}

TEST(LongRing, TwoMembersOneSlot) {
  expect_holds(go_round<1>({.preemptions = 2, .stale_reads = 1}, 2, 3));
}

TEST(LongRing, TwoMembersTwoSlots) { expect_holds(go_round<2>({.stale_reads = 1}, 2, 3)); }

// Returns a function that tells whether a member that comes to loop s gets it.
auto entering(SmallRing<1>& ring, plat::atomic<bool>& cancelled) {
  return [&ring, &cancelled](uint64_t s) {
    sync::Patience patience;
    return ring.slots[0].enter(
        s, [&ring, s](Slot&) { ring.state[0].set(s); }, {patience, kLimits},
        [&cancelled] { return cancelled.load(std::memory_order_relaxed); });
  };
}

// A region is cancelled by a member that has left the first loop, or that never leaves it. The
// other member still gets that loop, and the next one if it can.
struct Cancelling {
  bool leaves, notifies = true;

  void operator()(Stage& stage) const {
    auto& ring = stage.make_named<SmallRing<1>>("ring");
    auto& cancelled = stage.make<plat::atomic<bool>>(false);
    const auto enter = entering(ring, cancelled);
    stage.thread("canceller", [&ring, &cancelled, enter, *this] {
      MODEL_CHECK(enter(0));
      if (leaves) ring.slots[0].leave(0, 2);
      cancelled.store(true, std::memory_order_relaxed);
      if (notifies) ring.slots[0].notify();
    });
    stage.thread("other", [&ring, enter, *this] {
      if (!enter(0)) return;
      MODEL_CHECK(ring.state[0].get() == 0);
      ring.slots[0].leave(1, 2);
      const bool entered = enter(1);
      MODEL_CHECK(!entered || ring.state[0].get() == 1);
      if (!leaves) MODEL_CHECK(!entered);
    });
  }
};

TEST(Ring, CancelledByOneThatDoesNotLeave) {
  expect_holds(explore({.preemptions = 3, .stale_reads = 1}, Cancelling{.leaves = false}));
}

TEST(Ring, CancelledByOneThatHasLeft) {
  expect_holds(explore({.preemptions = 3, .stale_reads = 1}, Cancelling{.leaves = true}));
}

// A slot becomes free for a loop that a third member has yet to reach, after another member has
// given up waiting for that loop.
void give_up(Stage& stage) {
  auto& ring = stage.make_named<SmallRing<1>>("ring");
  auto& cancelled = stage.make<plat::atomic<bool>>(false);
  const auto enter = entering(ring, cancelled);
  const auto first_loop = [&ring, enter](uint32_t member) {
    if (enter(0)) ring.slots[0].leave(member, 3);
  };
  stage.thread("canceller", [&ring, &cancelled, first_loop] {
    first_loop(0);
    cancelled.store(true, std::memory_order_relaxed);
    ring.slots[0].notify();
  });
  stage.thread("ahead", [enter, first_loop] {
    first_loop(1);
    if (!enter(1)) MODEL_CHECK(!enter(2));
  });
  stage.thread("behind", [enter, first_loop] {
    first_loop(2);
    enter(1);
  });
}

TEST(Ring, WhoHasGivenUpOpensNothing) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 0, .spurious = 0}, give_up));
}

TEST(Ring, WhoCancelsHasToWakeThoseThatWait) {
  expect_fails(explore({}, Cancelling{.leaves = false, .notifies = false}), "no thread can go on",
               40);
}

TEST(Ring, Mutants) {
  const Bounds bounds{.preemptions = 2, .stale_reads = 1};
  expect_caught(
      together({mutants(bounds, [](Stage& stage) { loops<1>(stage, 2, 2); }),
                mutants(bounds, Cancelling{.leaves = false})}),
      {kClaimAcquire,
       kClaimRelease,
       {"EventCount::advance_from", "no wake", "a member that finds the slot free does not sleep"},
       {"EventCount::wait_once", "acq_rel -> acquire", "the notifier reads no sleeper's data"},
       {"EventCount::wait_once", "acq_rel -> release",
        "wait_unless loads the word before it looks"},
       {"EventCount::notify", "acq_rel -> release", "the notifier reads nothing"}});
}

// Iterations pass the ordered region in turn: the event count holds the next one's number.
void ordered(Stage& stage, uint64_t members, uint64_t turns) {
  auto& slot = stage.make_named<Slot>("slot");
  auto& last = stage.make<Plain<uint64_t>>(0u);
  for (uint64_t m = 0; m < members; ++m)
    stage.thread(numbered("T", static_cast<int>(m)), [&slot, &last, m, members, turns] {
      sync::Patience patience;
      for (uint64_t iteration = m; iteration < members * turns; iteration += members) {
        slot.turn().wait_for(iteration, patience, kLimits);
        MODEL_CHECK(last.get() == iteration);
        last.set(iteration + 1);
        slot.turn().advance(iteration + 1);
      }
    });
}

TEST(Ordered, TwoMembersTwoTurnsEach) {
  expect_holds(explore({}, [](Stage& stage) { ordered(stage, 2, 2); }));
}

TEST(Ordered, ThreeMembersOneTurnEach) {
  expect_holds(
      explore({.preemptions = 2, .stale_reads = 1}, [](Stage& stage) { ordered(stage, 3, 1); }));
}

// A member with one chunk of one iteration, `m`, which has an ordered region.
void have_one_turn(Slot& slot, const plat::atomic<bool>& cancelled, Plain<int>& entered,
                   uint64_t m) {
  sync::Patience patience;
  slot.take_turn(m, {patience, kLimits},
                 [&cancelled] { return cancelled.load(std::memory_order_relaxed); });
  entered.set(entered.get() + 1);
  slot.hand_on_turn(m, m + 1);
}

// A region is cancelled by the member that should have the first turn, so that turn never comes.
// The other members still run their ordered regions, one at a time.
struct WithoutFirst {
  bool notifies = true;

  void operator()(Stage& stage) const {
    auto& slot = stage.make_named<Slot>("slot");
    auto& cancelled = stage.make<plat::atomic<bool>>(false);
    auto& entered = stage.make<Plain<int>>(0);
    stage.thread("canceller", [&slot, &cancelled, *this] {
      cancelled.store(true, std::memory_order_relaxed);
      if (notifies) slot.notify();
    });
    for (uint64_t m = 1; m <= 2; ++m)
      stage.thread(numbered("T", static_cast<int>(m)), [&slot, &cancelled, &entered, m] {
        have_one_turn(slot, cancelled, entered, m);
      });
    stage.finally([&slot, &entered] {
      MODEL_CHECK(entered.get() == 2);
      MODEL_CHECK(slot.turn().peek() == 0);  // no member may advance it
    });
  }
};

TEST(Ordered, TheFirstNeverComes) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 1, .spurious = 0}, WithoutFirst{}));
}

TEST(Ordered, WhoCancelsHasToWakeThoseThatWaitForTheirTurn) {
  expect_fails(explore({}, WithoutFirst{.notifies = false}), "no thread can go on", 40);
}

// One member has the turn when another is released: they exclude each other, and the turn advances
// as far as it can.
void let_go_meanwhile(Stage& stage) {
  auto& slot = stage.make_named<Slot>("slot");
  auto& cancelled = stage.make<plat::atomic<bool>>(false);
  auto& entered = stage.make<Plain<int>>(0);
  for (uint64_t m = 0; m < 2; ++m)
    stage.thread(numbered("T", static_cast<int>(m)),
                 [&slot, &cancelled, &entered, m] { have_one_turn(slot, cancelled, entered, m); });
  stage.thread("canceller", [&slot, &cancelled] {
    cancelled.store(true, std::memory_order_relaxed);
    slot.notify();
  });
  stage.finally([&slot, &entered] {
    MODEL_CHECK(entered.get() == 2);
    MODEL_CHECK(slot.turn().peek() >= 1);
  });
}

TEST(Ordered, OneIsLetGoWhileAnotherHasTheTurn) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 1, .spurious = 0}, let_go_meanwhile));
}

TEST(Ordered, Mutants) {
  expect_caught(mutants({}, [](Stage& stage) { ordered(stage, 2, 2); }), {kGateSpare});
}

}  // namespace
}  // namespace vicino::loop
