// What a thread knows of the CPU time that others took from it: windows of its run delay, and that the
// kernel's times are those of the thread.
#include <gtest/gtest.h>

#include <thread>

#include "plat/lost_time.hpp"

namespace vicino::plat {
namespace {

constexpr uint64_t kMs = 1'000'000;

TEST(RunDelay, EachWindowHasWhatPassedInIt) {
  RunDelay window;
  EXPECT_FALSE(window.has_begun());
  window.restart(100 * kMs, {70 * kMs, 5 * kMs});
  EXPECT_TRUE(window.has_begun());
  const ThreadTimes later{72 * kMs, 6 * kMs};
  EXPECT_EQ(window.so_far(later).ran, 2 * kMs);
  EXPECT_EQ(window.so_far(later).waited, kMs);
  EXPECT_EQ(window.restart(103 * kMs, later).wanted(), 3 * kMs);
  EXPECT_EQ(window.so_far(later).wanted(), 0u);
  EXPECT_EQ(window.age(104 * kMs), kMs);
}

TEST(RunDelay, AWindowIsDueAtItsEnd) {
  RunDelay window;
  EXPECT_TRUE(window.is_due(1000 * kMs));
  window.restart(1000 * kMs, {});
  EXPECT_FALSE(window.is_due(1000 * kMs + RunDelay::kNs - 1));
  EXPECT_TRUE(window.is_due(1000 * kMs + RunDelay::kNs));
}

TEST(ThreadTimes, ATenthIsMuchAndNothingIsNot) {
  EXPECT_TRUE((ThreadTimes{.ran = 9, .waited = 1}.has_waited_much()));
  EXPECT_FALSE((ThreadTimes{.ran = 10, .waited = 1}.has_waited_much()));
  EXPECT_FALSE(ThreadTimes().has_waited_much());
}

TEST(ThreadTimes, AreThoseOfTheThread) {
  const ThreadTimes before = thread_times();
  if (before.ran == 0) GTEST_SKIP() << "the kernel does not tell";
  const uint64_t start = now();
  while (now() < start + 20 * kMs) relax();
  EXPECT_GE((thread_times() - before).wanted(), 15 * kMs);
  ThreadTimes of_another{.ran = UINT64_MAX};
  std::thread([&] {
    const uint64_t its_start = now();
    while (now() < its_start + 5 * kMs) relax();
    of_another = thread_times();
  }).join();
  EXPECT_GT(of_another.ran, 0u);
  EXPECT_LT(of_another.ran, 15 * kMs);
}

}  // namespace
}  // namespace vicino::plat
