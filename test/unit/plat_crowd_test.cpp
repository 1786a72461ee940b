// plat/native/crowd.hpp: when a crowd begins, how it is kept up and how soon it is over, at times
// that the test sets.
#include <gtest/gtest.h>

#include <vector>

#include "plat/native/crowd.hpp"

namespace vicino::plat {
namespace {

constexpr uint64_t kMs = 1'000'000;
constexpr uint64_t kStart = 1000 * kMs;

// Threads that are ready on a machine of two CPUs.
constexpr Load kFew{.ready = 2, .cpus = 2}, kMany{.ready = 3, .cpus = 2};
constexpr std::optional<Load> kLoads[] = {kFew, kMany, std::nullopt};

// What a thread asks the kernel for.
struct Kernel {
  ThreadTimes times() const { return ++reads, since_birth; }
  std::optional<Load> load() const { return now_ready; }

  ThreadTimes since_birth{1, 0};
  std::optional<Load> now_ready = kMany;
  mutable int reads = 0;
};

// A thread that wants to run all the time, and gets a part of it.
struct Thread {
  explicit Thread(double its_share) : share(its_share) {}

  // A wait at `now`.
  bool sees(Crowd& crowd, uint64_t now) {
    run_until(now);
    return crowd.look(now, window, kernel);
  }
  void run_until(uint64_t now) {
    const double passed = static_cast<double>(now - last);
    last = now;
    kernel.since_birth.ran += static_cast<uint64_t>(share * passed);
    kernel.since_birth.waited += static_cast<uint64_t>((1 - share) * passed);
  }

  double share;
  uint64_t last = kStart;
  Kernel kernel;
  RunDelay window;
};

TEST(Crowd, NothingIsReadBeforeASign) {
  Crowd crowd;
  Thread thread(0.5);
  for (int ms = 0; ms < 100; ++ms) EXPECT_FALSE(thread.sees(crowd, kStart + ms * kMs));
  EXPECT_EQ(thread.kernel.reads, 0);
  EXPECT_FALSE(crowd.is_noted());
}

TEST(Crowd, LastsWhileThreadsHaveToWait) {
  Crowd crowd;
  Thread thread(0.85);
  crowd.note(kStart);
  for (int ms = 0; ms < 100; ++ms) EXPECT_TRUE(thread.sees(crowd, kStart + ms * kMs)) << ms;
  EXPECT_LE(thread.kernel.reads, 100 / 5 + 1);
}

TEST(Crowd, OneSignCountsAsLittleWithoutTheKernelsTimes) {
  Crowd seeing, blind;
  Thread thread(0.5);
  thread.kernel.since_birth = {};
  seeing.note(kStart);
  EXPECT_TRUE(blind.lost_slice(kStart, thread.window, thread.kernel));
  EXPECT_EQ(blind.lasted_ns(), seeing.lasted_ns());
  EXPECT_TRUE(blind.lost_slice(kStart + 90 * kMs, thread.window, thread.kernel));
  EXPECT_EQ(blind.lasted_ns(), seeing.lasted_ns() + 90 * kMs);
}

TEST(Crowd, OneThreadOfSeveralIsEnough) {
  Crowd crowd;
  Thread crowded(0.5), lucky(1);
  crowd.note(kStart);
  for (int ms = 0; ms < 100; ++ms) {
    EXPECT_TRUE(lucky.sees(crowd, kStart + ms * kMs)) << ms;
    EXPECT_TRUE(crowded.sees(crowd, kStart + ms * kMs)) << ms;
  }
}

TEST(Crowd, IsOverWithin20MsOfItsEnd) {
  for (uint64_t end = kStart + 50 * kMs; end < kStart + 56 * kMs; end += kMs / 2) {
    Crowd crowd;
    Thread thread(0.5);
    crowd.note(kStart);
    uint64_t now = kStart;
    for (; now < end; now += kMs / 4) EXPECT_TRUE(thread.sees(crowd, now));
    thread.share = 0.98;  // a sleep and a wake-up take a little
    while (thread.sees(crowd, now) && now < end + 100 * kMs) now += kMs / 4;
    EXPECT_LT(now - end, 20 * kMs);
    EXPECT_FALSE(thread.sees(crowd, now + kMs));
  }
}

TEST(Crowd, LastsWhereThreadsSeldomWait) {
  Crowd crowd;
  Thread thread(0.5);
  crowd.note(kStart);
  for (int ms = 0; ms < 300; ms += 30) EXPECT_TRUE(thread.sees(crowd, kStart + ms * kMs)) << ms;
}

// A thread that did not wait for anything for long does not know when it had to wait for a CPU.
TEST(Crowd, AnOldWindowTellsNothing) {
  Crowd crowd;
  Thread thread(0.1);
  crowd.note(kStart);
  EXPECT_TRUE(thread.sees(crowd, kStart));
  EXPECT_FALSE(thread.sees(crowd, kStart + 150 * kMs));
}

// Threads that sleep often wait for idle CPUs, too, until these wake up.
TEST(Crowd, IsOverWhenFewThreadsAreReady) {
  for (const std::optional<Load>& load : kLoads) {
    const bool are_few = load && load->ready == kFew.ready;
    Crowd crowd;
    Thread thread(0.5);
    thread.kernel.now_ready = load;
    crowd.note(kStart);
    for (int ms = 0; ms < 50; ++ms)
      EXPECT_EQ(thread.sees(crowd, kStart + ms * kMs), ms < 10 || !are_few) << ms;
  }
}

TEST(Crowd, WithoutTheKernelsTimesASignLasts) {
  Crowd crowd;
  RunDelay window;
  Kernel kernel{.since_birth = {}, .now_ready = std::nullopt};
  EXPECT_TRUE(crowd.lost_slice(kStart, window, kernel));
  EXPECT_TRUE(crowd.look(kStart + 90 * kMs, window, kernel));
  EXPECT_FALSE(crowd.look(kStart + 110 * kMs, window, kernel));
}

// A thread that polls loses 4 ms of each period, in which it waited for a CPU, or in which the machine itself stood
// still. Returns when a crowd begins, or nothing.
std::optional<uint64_t> crowd_after_ms(uint64_t period, bool waits, std::optional<Load> load) {
  Crowd crowd;
  RunDelay window;
  Kernel kernel{.now_ready = load};
  for (uint64_t ms = period; ms <= 2000; ms += period) {
    kernel.since_birth.ran += (period - 4) * kMs;
    kernel.since_birth.waited += waits ? 4 * kMs : 0;
    const bool begins = crowd.lost_slice(kStart + ms * kMs, window, kernel);
    EXPECT_EQ(crowd.is_noted(), begins);
    if (begins) return ms;
  }
  return {};
}

TEST(Crowd, WhichLostSlicesAreACrowd) {
  for (const std::optional<Load>& load : kLoads) {
    const bool are_few = load && load->ready == kFew.ready;
    // Of an equal, alone on this CPU or with two others on two CPUs.
    for (const uint64_t period : {8, 12}) {
      const std::optional<uint64_t> begins = crowd_after_ms(period, true, load);
      EXPECT_EQ(begins.has_value(), !are_few) << period;
      EXPECT_LE(begins.value_or(0), period == 8 ? 40 : 200) << period;
    }
    // Of nice 5, 10 and 19.
    for (const uint64_t period : {16, 40, 280})
      EXPECT_FALSE(crowd_after_ms(period, true, load)) << period;
    EXPECT_FALSE(crowd_after_ms(8, false, load));
  }
}

// Two teams that take each other's offers lose their cores for 20 us at a time.
TEST(Crowd, MomentsAddUp) {
  for (const std::optional<Load>& load : kLoads)
    for (const double share : {0.5, 0.75}) {
      Crowd crowd;
      Thread thread(share);
      thread.kernel.now_ready = load;
      uint64_t now = kStart;
      while (!crowd.is_noted() && now < kStart + 200 * kMs) {
        now += kMs / 25;
        thread.run_until(now);
        crowd.lost_moment(now, thread.window, thread.kernel);
      }
      const bool are_few = load && load->ready == kFew.ready;
      EXPECT_EQ(crowd.is_noted(), !are_few && share == 0.5) << share;
      if (share == 0.5 && !are_few) {
        EXPECT_LE(now, kStart + 40 * kMs);
      }
      EXPECT_LE(thread.kernel.reads, 1 + (now - kStart) / (5 * kMs));
    }
}

// A crowd of equals that has just ended is back with the next lost slice, but not after a trial.
TEST(Crowd, OfEqualsIsSoonBack) {
  for (const bool was_trial : {false, true})
    for (const uint64_t later : {10, 30}) {
      Crowd crowd;
      RunDelay window;
      Kernel kernel{.now_ready = kMany};
      crowd.note(kStart);
      uint64_t end = kStart + Crowd::kHoldNs;
      if (was_trial) {
        Thread thread(0.5);
        for (end = kStart; thread.sees(crowd, end);) end += kMs;
      } else {
        EXPECT_FALSE(crowd.look(end, window, kernel));
      }
      const bool expected = later == 10 && !was_trial;
      EXPECT_EQ(crowd.lost_slice(end + later * kMs, window, kernel), expected)
          << later << was_trial;
    }
}

// Where a crowd is there without end, the thread tries to poll, more and more seldom.
TEST(Crowd, IsTriedAtGrowingPauses) {
  Crowd crowd;
  Thread thread(0.5);
  std::vector<uint64_t> trials;
  crowd.note(kStart);
  uint64_t now = kStart;
  for (; now < kStart + 40'000 * kMs; now += kMs) {
    if (thread.sees(crowd, now)) continue;
    trials.push_back((now - kStart) / kMs);
    now += 50 * kMs;
    crowd.note(now);
  }
  ASSERT_GE(trials.size(), 5);
  EXPECT_NEAR(static_cast<double>(trials[0]), 1600, 6);
  EXPECT_NEAR(static_cast<double>(trials[1] - trials[0]), 3250, 6);
  EXPECT_NEAR(static_cast<double>(trials[4] - trials[3]), 12850, 6);
  // A trial was not in vain, and the next crowd is a new one.
  for (; thread.sees(crowd, now); now += kMs);
  crowd.note(now += 300 * kMs);
  const uint64_t again = now;
  for (; thread.sees(crowd, now); now += kMs);
  EXPECT_NEAR(static_cast<double>((now - again) / kMs), 1600, 6);
}

}  // namespace
}  // namespace vicino::plat
