// sync/single.hpp: one member runs each `single`, and copyprivate's data reach the other members
// through an event count, as in region/constructs.hpp.
#include <array>

#include "spares.hpp"
#include "sync/event_count.hpp"
#include "sync/single.hpp"

namespace vicino::sync {
namespace {

using namespace model;  // NOLINT: a test

constexpr PatienceLimits kLimits = PatienceLimits::fixed(1000);

struct Team {
  SingleCount singles;
  std::array<Plain<int>, 3> runs;  // one for each single: two members in one would race
  EventCount copy;
  Plain<int> copied;
};

// Members of a small team take a single at once; members of a large team look first.
constexpr int kSmall = 2, kLarge = 100;

// All members meet `count` singles, with no barrier in between.
void singles(Stage& stage, int members, uint64_t count, int as_if) {
  auto& team = stage.make_named<Team>("team");
  for (int m = 0; m < members; ++m)
    stage.thread(numbered("T", m), [&team, count, as_if] {
      for (uint64_t i = 0; i < count; ++i)
        if (team.singles.take(i, as_if)) team.runs[i].set(team.runs[i].get() + 1);
    });
  stage.finally([&team, count] {
    for (uint64_t i = 0; i < count; ++i) MODEL_CHECK(team.runs[i].get() == 1);
  });
}

TEST(Single, TwoMembersThreeSingles) {
  expect_holds(explore({.preemptions = 6, .stale_reads = 6},
                       [](Stage& stage) { singles(stage, 2, 3, kSmall); }));
  expect_holds(explore({.preemptions = 6, .stale_reads = 6},
                       [](Stage& stage) { singles(stage, 2, 3, kLarge); }));
}

TEST(Single, ThreeMembersTwoSingles) {
  expect_holds(explore({.stale_reads = 3}, [](Stage& stage) { singles(stage, 3, 2, kLarge); }));
}

TEST(Single, Mutants) {
  expect_caught(mutants({}, [](Stage& stage) { singles(stage, 2, 2, kSmall); }));
  expect_caught(mutants({}, [](Stage& stage) { singles(stage, 2, 2, kLarge); }));
}

// The member that takes the single provides the value; the other members wait for it.
void copyprivate(Stage& stage) {
  auto& team = stage.make_named<Team>("team");
  for (int m = 0; m < 3; ++m)
    stage.thread(numbered("T", m), [&team] {
      Patience patience;
      if (team.singles.take(0, kSmall)) {
        team.copied.set(7);
        team.copy.advance(1);
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
