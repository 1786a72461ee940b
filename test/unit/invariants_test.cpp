// The checks of the numbered invariants fail when a caller breaks an invariant. (VICINO_CHECK, in
// checked builds.)
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "base/say.hpp"
#include "loop/dynamic.hpp"
#include "loop/ring.hpp"
#include "sync/barrier.hpp"
#include "sync/handover.hpp"

namespace vicino {
namespace {

constexpr sync::PatienceLimits kLimits = sync::PatienceLimits::fixed(1000);

class Invariants : public testing::Test {
  void SetUp() override {
#ifndef VICINO_CHECKED
    GTEST_SKIP() << "not a checked build";
#endif
    GTEST_FLAG_SET(death_test_style, "threadsafe");
  }
};

struct Team {
  sync::EventCount& group_event(int) { return group; }
  sync::EventCount& own_event(int i) { return own[static_cast<size_t>(i)]; }
  sync::BarrierFlags& flags(int i) { return posts[static_cast<size_t>(i)]; }
  sync::EventCount group;
  std::array<sync::EventCount, 2> own;
  std::array<sync::BarrierFlags, 2> posts;
};

void call_up(Team& team, uint64_t number, int awake) {
  sync::call_up(team, sync::Go::pack(number, 2), awake, 2, [](int) {});
}

TEST_F(Invariants, HandoverAwakeIsAttached) {
  Team team;
  EXPECT_DEATH(call_up(team, 1, 3), "invariant I1 broken at .*handover.hpp");
}

TEST_F(Invariants, HandoverGrows) {
  Team team;
  call_up(team, 2, 2);
  EXPECT_DEATH(call_up(team, 2, 2), "invariant I2 broken at .*handover.hpp");
}

TEST_F(Invariants, MeetingNumbersGrow) {
  Team team;
  sync::Patience patience;
  const sync::Layout layout = sync::Layout::blocks(2, 2);
  const auto arrive = [&](uint64_t number) {
    sync::gather(team, layout, 1, number, {patience, kLimits});
  };
  arrive(2);
  EXPECT_DEATH(arrive(2), "invariant I3 broken at .*barrier.hpp");
}

TEST_F(Invariants, RingIsEnteredInOrder) {
  loop::Slot slot;
  sync::Patience patience;
  const auto enter = [&](uint64_t s) {
    slot.enter(s, [](loop::Slot&) {}, {patience, kLimits}, [] { return false; });
  };
  enter(8);
  EXPECT_DEATH(enter(0), "invariant I1 broken at .*ring.hpp");
}

TEST_F(Invariants, RingIsLeftOnce) {
  loop::Slot slot;
  slot.leave(0, 3);
  slot.leave(1, 3);
  EXPECT_DEATH(slot.leave(2, 1), "invariant D1 broken at .*departures.hpp");
}

class InvariantsOfDynamic : public Invariants {
 protected:
  InvariantsOfDynamic() {
    schedule.start(plan);
    enter(schedule, plan, cursor);
  }
  static uint64_t word(uint64_t begin, uint64_t end) { return begin << 32 | end; }

  std::array<loop::Lane, 2> lanes;
  loop::Plan plan{.trip = 10, .chunk = 1, .members = 2, .lanes = lanes};
  loop::Dynamic schedule;
  loop::Cursor cursor;
};

TEST_F(InvariantsOfDynamic, ChunksAreOfTheLoop) {
  auto& local = cursor.as<loop::Dynamic::Local>();
  local.chunk = 10;
  local.end = 11;
  EXPECT_DEATH(schedule.next(cursor), "invariant I5 broken at .*shares.hpp");
}

TEST_F(InvariantsOfDynamic, NoLaneHasTheFinalChunk) {
  lanes[0].word.store(word(9, 10), std::memory_order_relaxed);
  EXPECT_DEATH(schedule.next(cursor), "invariant I5 broken at .*shares.hpp");
}

TEST_F(InvariantsOfDynamic, NoLaneIsInsideOut) {
  lanes[0].word.store(word(4, 3), std::memory_order_relaxed);
  EXPECT_DEATH(schedule.next(cursor), "invariant I1 broken at .*part.hpp");
}

}  // namespace
}  // namespace vicino
