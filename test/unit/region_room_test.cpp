// region/room.hpp: how many threads regions get while other processes come and go, at times and on machines that
// the test sets.
#include <gtest/gtest.h>

#include "region/room.hpp"

namespace vicino::region {
namespace {

constexpr uint64_t kMs = 1'000'000;

// A machine whose other processes have `others` threads that never rest. Between regions one thread of this
// process is awake, or in a quiet time all of the last region's.
struct Machine {
  bool is_crowded() const { return crowded; }
  std::optional<plat::Load> load() const {
    ++reads;
    if (!is_known) return {};
    return plat::Load{others + (crowded ? 1 : own), cpus};
  }

  int cpus = 8, others = 0, own = 1;
  bool crowded = false, is_known = true;
  mutable int reads = 0;
};

class Rooms : public testing::Test {
 protected:
  // A region each quarter of a millisecond. Returns the last one's threads.
  int threads_after(uint64_t ms, int wanted) {
    for (const uint64_t end = now_ + ms * kMs; now_ < end; now_ += kMs / 4) {
      machine_.crowded =
          machine_.is_known ? machine_.own + machine_.others > machine_.cpus : others_crowd_;
      machine_.own = room_.threads_of(wanted, now_, machine_);
    }
    return machine_.own;
  }
  // How long until a region gets so many; at most a second.
  double ms_until(int threads, int wanted) {
    const uint64_t start = now_;
    while (now_ < start + 1000 * kMs && threads_after(1, wanted) != threads) {
    }
    return static_cast<double>(now_ - start) / kMs;
  }

  Machine machine_;
  Room room_;
  uint64_t now_ = 1000 * kMs;
  bool others_crowd_ = false;
};

TEST_F(Rooms, WithoutACrowdNothingIsAsked) {
  EXPECT_EQ(threads_after(100, 8), 8);
  EXPECT_EQ(machine_.reads, 0);
}

TEST_F(Rooms, OthersKeepTheirCpus) {
  machine_.others = 3;
  EXPECT_EQ(threads_after(100, 8), 5);
  EXPECT_EQ(threads_after(1, 4), 4);  // there is room for these
  machine_.others = 7;
  EXPECT_EQ(threads_after(20, 4), 1);
  machine_.others = 100;
  EXPECT_EQ(threads_after(20, 8), 1);
}

TEST_F(Rooms, TwoCopiesThatLeaveRoomStaySo) {
  machine_.cpus = 2;
  machine_.others = 2;
  EXPECT_EQ(threads_after(20, 2), 1);
  machine_.others = 1;  // the other one has left room, too: nobody waits any more
  EXPECT_EQ(threads_after(1000, 2), 1);
}

TEST_F(Rooms, ACrowdsEndIsNoticedWithin20Ms) {
  for (int i = 0; i < 20; ++i) {
    machine_.others = 8;
    threads_after(200 + i, 8);
    machine_.others = 0;
    EXPECT_LE(ms_until(8, 8), 20);
    threads_after(200, 8);
  }
}

TEST_F(Rooms, GrowingInVainIsTriedLessAndLessOften) {
  machine_.cpus = 2;
  int grown = 0;
  for (int ms = 0; ms < 1000; ++ms) {
    machine_.others = machine_.own == 1 ? 0 : 2;  // which is awake when this one wants more
    grown += threads_after(1, 2) == 2;
  }
  EXPECT_GT(grown, 0);
  EXPECT_LT(grown, 60);
}

TEST_F(Rooms, ALargeTeamChangesByEighths) {
  machine_.cpus = 64;
  machine_.others = 3;
  EXPECT_EQ(threads_after(50, 64), 56);
  machine_.others = 7;
  EXPECT_EQ(threads_after(50, 64), 56);
  machine_.others = 62;
  EXPECT_EQ(threads_after(50, 64), 1);
}

TEST_F(Rooms, WhereOthersCannotBeCountedTheRoomIsHalved) {
  machine_.is_known = false;
  EXPECT_EQ(threads_after(50, 8), 8);
  others_crowd_ = true;
  EXPECT_EQ(threads_after(5, 8), 4);
  EXPECT_EQ(threads_after(5, 8), 2);
  EXPECT_EQ(threads_after(50, 8), 1);
  others_crowd_ = false;
  EXPECT_LE(ms_until(8, 8), 20);
}

}  // namespace
}  // namespace vicino::region
