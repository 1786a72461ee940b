// How a thread polls: what ends it, and what is asked how often. By one thread, so that the answers
// alone decide.
#include <gtest/gtest.h>

#include "plat/plat.hpp"
#include "task/attend.hpp"

namespace vicino {
namespace {

constexpr uint64_t kNoEnd = UINT64_MAX / 4;

TEST(WaitOn, ANewValueIsGivenAtOnce) {
  plat::Budget budget{kNoEnd};
  EXPECT_EQ(plat::wait_on(plat::atomic<uint64_t>(8), uint64_t{7}, budget), 8u);
}

TEST(WaitOn, WithoutABudgetNothingIsAsked) {
  const plat::atomic<uint64_t> word(7);
  plat::Budget budget{0};
  bool asked = false;
  const auto ask = [&asked] { return asked = true; };
  EXPECT_EQ(plat::wait_on(word, uint64_t{7}, budget, ask, ask), 7u);
  EXPECT_FALSE(asked);
}

TEST(WaitOn, AGlanceEndsIt) {
  const plat::atomic<uint64_t> word(7);
  plat::Budget budget{.ns = kNoEnd, .share_core = true};  // whoever takes the core meanwhile
  int glances = 0;
  EXPECT_EQ(plat::wait_on(word, uint64_t{7}, budget, [&] { return ++glances == 3; }), 7u);
  EXPECT_EQ(glances, 3);
}

TEST(WaitOn, APeekIsTakenAtEachPollAndEndsIt) {
  const plat::atomic<uint64_t> word(7);
  plat::Budget budget{kNoEnd};
  int peeks = 0, glances = 0;
  const auto glance = [&] { return ++glances == 1000; };
  EXPECT_EQ(plat::wait_on(word, uint64_t{7}, budget, glance, [&] { return ++peeks == 3; }), 7u);
  EXPECT_EQ(glances, 0);
}

TEST(WaitOn, TheBudgetRunsOut) {
  const plat::atomic<uint64_t> word(7);
  plat::Budget budget{1000};
  EXPECT_EQ(plat::wait_on(word, uint64_t{7}, budget), 7u);
}

// Tasks are about in its team, but the only one that it can run is handed to it while it polls.
struct Waiter {
  bool tasks_about() noexcept { return ++glances != 0; }
  bool has_own() noexcept { return ++asked > kPollsBefore; }
  bool help() noexcept {
    if (asked <= kPollsBefore) return false;
    gate.open(1);
    return true;
  }
  template <class Done>
  bool sleep(sync::Gate&, Done) noexcept {
    ADD_FAILURE() << "it has no end of patience";
    return false;
  }

  static constexpr int kPollsBefore = 3;  // fewer than are between two looks at the clock
  sync::Gate& gate;
  int asked = 0, glances = 0;
};

TEST(Attend, ATaskThatIsHandedToItIsSeenAtItsNextPoll) {
  sync::Gate gate;
  Waiter waiter{gate};
  sync::Patience patience;
  constexpr auto kLimits = sync::PatienceLimits::fixed(kNoEnd);
  const auto ready = [](uint64_t word) { return sync::Gate::value_of(word) == 1; };
  task::attend(waiter, gate.word(), gate, ready, {patience, kLimits});
  EXPECT_EQ(waiter.glances, 1);
}

}  // namespace
}  // namespace vicino
