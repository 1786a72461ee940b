// loop/departures.hpp in teams with groups, and the slots of ring.hpp on them, with one thread that plays all members.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "loop/ring.hpp"

namespace vicino::loop {
namespace {

using Groups = Departures<8, 16>;  // as the ring has them

// How many of all members were told that they are the last, and which one was told so last.
struct Last {
  int times = 0;
  uint32_t member = 0;
};
Last all_depart(Groups& groups, Groups::Word& all, uint32_t members) {
  Last last;
  for (uint32_t m = 0; m < members; ++m)
    if (groups.depart(all, m, members)) last = {last.times + 1, m};
  return last;
}
void expect_begins_anew(Groups& groups, Groups::Word& all, uint32_t members) {
  const Last last = all_depart(groups, all, members);
  EXPECT_EQ(last.times, 1) << members << " members";
  EXPECT_EQ(last.member, members - 1) << members << " members";
}

// Without groups, with groups of different sizes, and of equal ones.
constexpr uint32_t kSizes[] = {1, 2, 16, 17, 23, 24, 64, 100};

TEST(LoopDepartures, TheCountBeginsAgain) {
  for (const uint32_t members : kSizes) {
    Groups groups;
    Groups::Word all{0};
    for (int round = 0; round < 3; ++round) expect_begins_anew(groups, all, members);
  }
}

TEST(LoopDepartures, OneMemberOfAnyGroupIsForgotten) {
  for (const uint32_t members : kSizes)
    for (uint32_t alone = 0; alone < members; ++alone) {
      Groups groups;
      Groups::Word all{0};
      groups.depart(all, alone, members);
      groups.reset_after(all, alone, members);
      expect_begins_anew(groups, all, members);
    }
}

TEST(LoopDepartures, SomeMembersAreForgotten) {
  for (const uint32_t members : kSizes) {
    Groups groups;
    Groups::Word all{0};
    for (uint32_t m = 0; m < members; m += 3) groups.depart(all, m, members);
    groups.reset(all);
    expect_begins_anew(groups, all, members);
  }
}

// What end_alone() of region/alone.cpp does to a slot: the next team loop in it must find it free, and free it.
TEST(LoopDepartures, ASlotIsFreeAfterOneMember) {
  sync::Patience patience;
  const sync::Waiting waiting{patience, sync::PatienceLimits::fixed(1000)};
  const auto enter = [&](Slot& slot, uint64_t loop) {  // whether it opens the loop
    bool opened = false;
    slot.enter(loop, [&](Slot&) { opened = true; }, waiting, [] { return false; });
    return opened;
  };
  for (const uint32_t members : kSizes) {
    Slot slot;
    EXPECT_TRUE(enter(slot, 0));
    slot.leave(0, members);
    slot.reset_after(0, members);
    for (uint64_t loop = Ring::kSlots; loop < 4 * Ring::kSlots; loop += Ring::kSlots) {
      EXPECT_TRUE(enter(slot, loop)) << members << " members";
      // Group 0 is the last to leave, so it is seen if it counts one member too many.
      std::vector<uint32_t> freed_by;
      for (uint32_t m = members; m-- > 0;) slot.leave(m, members, [&] { freed_by.push_back(m); });
      EXPECT_THAT(freed_by, testing::ElementsAre(0)) << members << " members";
    }
  }
}

}  // namespace
}  // namespace vicino::loop
