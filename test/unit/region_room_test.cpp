// region/room.hpp: how many threads regions get while other processes come and go, on machines that the test makes
// up.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "region/room.hpp"

namespace vicino::region {
namespace {

constexpr uint64_t kMs = 1'000'000;

// A machine on which each ready thread gets the same share of the CPUs, if all have equal weight.
struct Shared {
  int cpus = 8, ready = 0;
  double weight = 1;  // what others take, over what equals would take
  double share() const {
    return ready <= cpus ? 1 : 1 - weight * (1 - static_cast<double>(cpus) / ready);
  }
};

// A process that has one region after another, all its threads at work.
class Process {
 public:
  explicit Process(int wanted) : wanted_(wanted) {}

  // A region begins; the one before took `ns`. Between two regions in a crowd only one thread is awake.
  void begin(const Shared& shared, uint64_t now, uint64_t ns) {
    times_.ran += static_cast<uint64_t>(static_cast<double>(ns) * shared.share());
    times_.waited += static_cast<uint64_t>(static_cast<double>(ns) * (1 - shared.share()));
    shared_ = shared;
    if (shared.ready > shared.cpus) shared_.ready -= threads_ - 1;
    threads_ = room_.threads_of(wanted_, now, asked_for, *this);
    room_.had(threads_);
  }
  int threads() const { return threads_; }
  void want(int threads) { wanted_ = threads; }

  plat::ThreadTimes times() const { return times_; }
  uint64_t crowded_ns() const { return crowded_ns_; }
  std::optional<plat::Load> load() const {
    return is_masked ? std::nullopt : std::optional<plat::Load>({shared_.ready, shared_.cpus});
  }

  bool is_masked = false, asked_for = true;
  void see_crowd() { ++crowded_ns_; }

 private:
  int wanted_, threads_ = 1;
  Room room_;
  Shared shared_;
  plat::ThreadTimes times_;
  uint64_t crowded_ns_ = 0;
};

class Rooms : public testing::Test {
 protected:
  explicit Rooms(int cpus = 8, std::vector<int> wanted = {8}) : cpus_(cpus) {
    for (const int threads : wanted) copies_.emplace_back(threads);
  }
  void reset(int cpus, size_t copies) {
    cpus_ = cpus;
    copies_.assign(copies, Process(cpus));
  }

  int ready() const {
    return std::accumulate(copies_.begin(), copies_.end(), others_,
                           [](int sum, const Process& copy) { return sum + copy.threads(); });
  }
  // Regions of `region_ns` each; the copies take turns to look.
  void pass(uint64_t ms, uint64_t region_ns = kMs / 4) {
    for (const uint64_t end = now_ + ms * kMs; now_ < end; now_ += region_ns)
      for (Process& copy : copies_)
        copy.begin({cpus_, ready(), weight_}, now_ + static_cast<uint64_t>(&copy - copies_.data()),
                   region_ns);
  }
  // The first copy's threads, after so long.
  int threads_after(uint64_t ms, uint64_t region_ns = kMs / 4) {
    pass(ms, region_ns);
    return copies_[0].threads();
  }
  // How long until the first copy has so many; at most a second.
  double ms_until(int threads) {
    const uint64_t start = now_;
    while (now_ < start + 1000 * kMs && threads_after(1) != threads) {
    }
    return static_cast<double>(now_ - start) / kMs;
  }

  int cpus_, others_ = 0;  // threads of others that never rest
  double weight_ = 1;
  std::vector<Process> copies_;
  uint64_t now_ = 1000 * kMs;
};

TEST_F(Rooms, AloneARegionGetsAll) { EXPECT_EQ(threads_after(100), 8); }

TEST_F(Rooms, OthersKeepTheirCpus) {
  others_ = 3;
  pass(50);
  EXPECT_EQ(threads_after(100), 5);
  copies_[0].want(4);
  EXPECT_EQ(threads_after(1), 4);  // there is room for these
  others_ = 7;
  copies_[0].want(8);
  pass(50);
  EXPECT_LE(threads_after(50), 2);
  others_ = 100;
  EXPECT_EQ(threads_after(50), 1);
}

TEST_F(Rooms, APartOfTheRoomGrowsToAllOfIt) {
  others_ = 3;
  EXPECT_EQ(threads_after(100), 5);
  others_ = 0;
  EXPECT_LE(ms_until(8), 20);
}

TEST_F(Rooms, AMomentsRoomIsNotTaken) {
  reset(2, 1);
  others_ = 2;
  EXPECT_EQ(threads_after(50), 1);
  for (int ms = 0; ms < 500; ++ms) {
    others_ = ms % 10 < 5;  // a process that has work now and then
    EXPECT_EQ(threads_after(1), 1) << ms;
  }
}

TEST_F(Rooms, ManyReadyThreadsAreNoCrowdIfNobodyWaits) {
  others_ = 8;
  for (int ms = 0; ms < 100; ++ms)  // as if all of them had a low priority
    copies_[0].begin({8, 8}, now_ += kMs, kMs);
  EXPECT_EQ(copies_[0].threads(), 8);
}

TEST_F(Rooms, ACrowdThatAnotherThreadSeesCounts) {
  reset(64, 1);
  others_ = 4;  // the first thread waits for a sixteenth of its time
  EXPECT_EQ(threads_after(50), 64);
  copies_[0].see_crowd();
  EXPECT_EQ(threads_after(6), 56);
}

// As a known library beside two processes of nice 5 has three quarters of its time, beside two of nice 0 a half.
TEST_F(Rooms, WhereNobodyAskedForItRoomIsLeftToEqualsOnly) {
  reset(2, 1);
  copies_[0].asked_for = false;
  others_ = 2;
  weight_ = 0.5;
  EXPECT_EQ(threads_after(200), 2);
  weight_ = 1;
  EXPECT_LE(ms_until(1), 50);
  others_ = 0;
  EXPECT_LE(ms_until(2), 20);
}

TEST_F(Rooms, TwoCopiesThatLeaveRoomStaySo) {
  reset(2, 2);
  pass(50);
  for (int ms = 0; ms < 1000; ++ms) {
    pass(1);
    EXPECT_EQ(copies_[0].threads(), 1);
    EXPECT_EQ(copies_[1].threads(), 1);
  }
}

TEST_F(Rooms, CopiesHaveAboutAsManyThreadsEach) {
  for (const int cpus : {8, 16, 64})
    for (const size_t copies : {2u, 3u, 4u}) {
      reset(cpus, copies);
      pass(1000);
      const int fair = cpus / static_cast<int>(copies);
      for (const Process& copy : copies_) {
        EXPECT_GE(copy.threads(), fair / 2) << cpus << " CPUs, " << copies << " copies";
        EXPECT_LE(copy.threads(), 2 * fair) << cpus << " CPUs, " << copies << " copies";
      }
      EXPECT_LE(ready(), cpus);
    }
}

TEST_F(Rooms, ACrowdsEndIsNoticedWithin20Ms) {
  for (int i = 0; i < 20; ++i) {
    others_ = 8;
    pass(200 + static_cast<uint64_t>(i));
    others_ = 0;
    EXPECT_LE(ms_until(8), 20);
    pass(200);
  }
}

TEST_F(Rooms, GrowingInVainIsTriedLessAndLessOften) {
  reset(2, 1);
  int grown = 0;
  const auto crowd = [&] {
    others_ = copies_[0].threads() == 1 ? 0 : 2;
  };  // awake when this one wants more
  for (int ms = 0; ms < 2000; ++ms) {
    crowd();
    const int before = copies_[0].threads();
    grown += threads_after(1) > before;
  }
  EXPECT_GE(grown, 3);
  EXPECT_LE(grown, 12);
  others_ = 0;
  EXPECT_LE(ms_until(2), 700);
}

TEST_F(Rooms, LongRegionsCountToo) {
  others_ = 100;
  EXPECT_EQ(threads_after(3000, 300 * kMs), 1);
  others_ = 0;
  EXPECT_EQ(threads_after(1000, 300 * kMs), 8);
}

TEST_F(Rooms, ALargeTeamChangesByEighths) {
  reset(64, 1);
  others_ = 20;
  pass(50);
  EXPECT_EQ(threads_after(100), 40);
}

TEST_F(Rooms, WhereOthersCannotBeCountedTheRoomIsHalved) {
  copies_[0].is_masked = true;
  EXPECT_EQ(threads_after(50), 8);
  others_ = 100;
  int least = 8;
  for (int ms = 0; ms < 50; ++ms) {
    const int now = threads_after(1);
    EXPECT_GE(2 * now, least);
    least = std::min(least, now);
  }
  EXPECT_EQ(least, 1);
  others_ = 0;
  EXPECT_LE(ms_until(8), 20);
}

}  // namespace
}  // namespace vicino::region
