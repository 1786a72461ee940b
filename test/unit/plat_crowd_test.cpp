// plat/native/crowd.hpp: which lost time is a sign of a crowd, and how long it lasts, at times that the test sets.
#include <gtest/gtest.h>

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

// Whether one more lost slice is a sign.
bool is_sign(Crowd& crowd, uint64_t now, RunDelay& window, const Kernel& kernel) {
  const uint64_t before = crowd.lasted_ns();
  crowd.lost_slice(now, window, kernel);
  return crowd.lasted_ns() != before;
}

TEST(Crowd, LastsForAWhileAfterEachSign) {
  Crowd crowd;
  EXPECT_FALSE(crowd.was_there(kStart));
  crowd.note(kStart);
  EXPECT_EQ(crowd.lasted_ns(), Crowd::kSignNs);
  crowd.note(kStart + 3 * kMs);
  crowd.note(kStart + 1 * kMs);  // of a thread that is late
  EXPECT_EQ(crowd.lasted_ns(), Crowd::kSignNs + 3 * kMs);
  crowd.note(kStart + 200 * kMs);
  EXPECT_EQ(crowd.lasted_ns(), 2 * Crowd::kSignNs + 3 * kMs);
  EXPECT_TRUE(crowd.was_there(kStart + 1200 * kMs));
  EXPECT_FALSE(crowd.was_there(kStart + 1211 * kMs));
  crowd.forget();
  EXPECT_FALSE(crowd.was_there(kStart + 200 * kMs));
  EXPECT_EQ(crowd.lasted_ns(), 0u);
}

TEST(Crowd, WithoutTheKernelsTimesEachLostSliceIsASign) {
  Crowd crowd;
  RunDelay window;
  const Kernel kernel{.since_birth = {}, .now_ready = std::nullopt};
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(is_sign(crowd, kStart + i * 40 * kMs, window, kernel));
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
    if (is_sign(crowd, kStart + ms * kMs, window, kernel)) return ms;
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
      while (crowd.lasted_ns() == 0 && now < kStart + 200 * kMs) {
        now += kMs / 25;
        thread.run_until(now);
        crowd.lost_moment(now, thread.window, thread.kernel);
      }
      const bool are_few = load && load->ready == kFew.ready;
      EXPECT_EQ(crowd.lasted_ns() != 0, !are_few && share == 0.5) << share;
      if (share == 0.5 && !are_few) {
        EXPECT_LE(now, kStart + 40 * kMs);
      }
      EXPECT_LE(thread.kernel.reads, 1 + (now - kStart) / (5 * kMs));
    }
}

// A crowd of equals that has just ended is back with the next lost slice.
TEST(Crowd, OfEqualsIsSoonBack) {
  for (const uint64_t later : {10, 30}) {
    Crowd crowd;
    RunDelay window;
    crowd.note(kStart);
    EXPECT_EQ(is_sign(crowd, kStart + Crowd::kSignNs + later * kMs, window, Kernel()), later == 10);
  }
}

}  // namespace
}  // namespace vicino::plat
