// team/constructs.hpp: one member runs each `single`, and copyprivate's data reach the others.
//
// Restated, not compiled: members and teams are not for the checker. The gate is the real one.
#include <array>

#include "spares.hpp"
#include "sync/gate.hpp"

namespace vicino::sync {
namespace {

using namespace model;  // NOLINT: a test

constexpr PatienceLimits kLimits = PatienceLimits::fixed(1000);

struct Team {
  plat::atomic<uint64_t> singles{0};
  std::array<Plain<int>, 3> runs;  // per single: two members in one would race
  Gate copy;
  Plain<int> copied;
};

// The first load may be stale, but never older than this member's own last single: it has either
// taken that or found it taken.
bool take_single(Team& team, uint64_t mine) {
  uint64_t taken = team.singles.load(std::memory_order_relaxed);
  return taken == mine &&
         team.singles.compare_exchange_strong(taken, mine + 1, std::memory_order_relaxed);
}

// All members meet `count` singles without barriers in between.
void singles(Stage& stage, int members, uint64_t count) {
  auto& team = stage.make_named<Team>("team");
  for (int m = 0; m < members; ++m)
    stage.thread(numbered("T", m), [&team, count] {
      for (uint64_t i = 0; i < count; ++i)
        if (take_single(team, i)) team.runs[i].set(team.runs[i].get() + 1);
    });
  stage.finally([&team, count] {
    for (uint64_t i = 0; i < count; ++i) MODEL_CHECK(team.runs[i].get() == 1);
  });
}

TEST(Single, TwoMembersThreeSingles) {
  expect_holds(
      explore({.preemptions = 6, .stale_reads = 6}, [](Stage& stage) { singles(stage, 2, 3); }));
}

TEST(Single, ThreeMembersTwoSingles) {
  expect_holds(explore({.stale_reads = 3}, [](Stage& stage) { singles(stage, 3, 2); }));
}

TEST(Single, Mutants) {
  expect_caught(mutants({}, [](Stage& stage) { singles(stage, 2, 2); }));
}

// Whoever takes the single gives; the others wait for what it gave.
void copyprivate(Stage& stage) {
  auto& team = stage.make_named<Team>("team");
  for (int m = 0; m < 3; ++m)
    stage.thread(numbered("T", m), [&team] {
      Patience patience;
      if (take_single(team, 0)) {
        team.copied.set(7);
        team.copy.open(1);
      } else {
        team.copy.wait_for(1, patience, kLimits);
      }
      MODEL_CHECK(team.copied.get() == 7);
    });
}

TEST(Copyprivate, ThreeMembers) {
  expect_holds(explore({.preemptions = 2, .stale_reads = 1}, copyprivate));
}

}  // namespace
}  // namespace vicino::sync
