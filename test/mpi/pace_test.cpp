// Which calls are timed, and what is told of those that are not, by programs whose times are known.
#include "pace.hpp"

#include <gtest/gtest.h>

namespace vicino::pmpi {
namespace {

constexpr uint64_t kUs = 1000, kMs = 1'000'000;

// A thread that calls MPI, with the times of its calls by a clock of its own.
class Thread {
 public:
  void computes(uint64_t ns) { now_ += ns; }
  void calls(uint64_t ns) {
    const bool is_timed = pace_.times_next();
    const uint64_t begin = now_;
    now_ += ns;
    calls_ += 1;
    inside_ += ns;
    if (!is_timed) return;
    timed_ += 1;
    const uint64_t stands_for = pace_.ended(begin - last_end_, ns);
    told_calls_ += stands_for;
    told_ += stands_for * ns;
    last_end_ = now_;
  }

  uint64_t now() const { return now_; }
  double timed() const { return static_cast<double>(timed_) / static_cast<double>(calls_); }
  // What is told of the time inside of calls, by what it was.
  double told() const { return static_cast<double>(told_) / static_cast<double>(inside_); }
  double told_calls() const {
    return static_cast<double>(told_calls_) / static_cast<double>(calls_);
  }
  int64_t missing_ns() const { return static_cast<int64_t>(inside_ - told_); }

 private:
  Pace pace_;
  uint64_t now_ = 0, last_end_ = 0, calls_ = 0, inside_ = 0, timed_ = 0, told_ = 0, told_calls_ = 0;
};

TEST(Pace, of_close_calls_few_are_timed_and_stand_for_all) {
  Thread thread;
  for (int i = 0; i < 100'000; ++i) {
    thread.computes(20);
    thread.calls(100);
  }
  EXPECT_LT(thread.timed(), 0.04);
  EXPECT_NEAR(thread.told_calls(), 1, 0.01);
  EXPECT_NEAR(thread.told(), 1, 0.01);
}

// A fixed stride of an even length would time one of the two only.
TEST(Pace, calls_in_patterns_are_told_by_their_share) {
  for (const int period : {2, 3, 4, 8, 16, 24, 32, 33, 48, 56}) {
    Thread thread;
    for (int i = 0; i < 200'000; ++i) thread.calls(i % period == 0 ? 800 : 100);
    EXPECT_NEAR(thread.told(), 1, 0.05) << period;
  }
}

TEST(Pace, calls_between_which_the_thread_computes_are_all_timed) {
  Thread thread;
  for (int i = 0; i < 10'000; ++i) {
    thread.computes(2 * kUs);
    thread.calls(100);
  }
  EXPECT_EQ(thread.timed(), 1);
  EXPECT_EQ(thread.told(), 1);
}

TEST(Pace, long_calls_are_all_timed) {
  Thread thread;
  for (int i = 0; i < 10'000; ++i) thread.calls(2 * kUs);
  EXPECT_EQ(thread.timed(), 1);
  EXPECT_EQ(thread.told(), 1);
}

// Steps in the manner of a program whose ranks wait for each other and then exchange much: the first call after the
// computation waits, and it comes after many close calls, where few are timed.
TEST(Pace, what_is_not_told_is_a_small_part_of_the_time) {
  for (const uint64_t close : {10u, 100u, 1000u, 10'000u}) {
    Thread thread;
    for (int step = 0; step < 1000; ++step) {
      thread.computes(kMs);
      thread.calls(2 * kMs);
      for (uint64_t i = 0; i < close; ++i) thread.calls(100);
    }
    const int64_t allowed = static_cast<int64_t>(thread.now()) / Pace::kKnown;
    EXPECT_LE(thread.missing_ns(), allowed + 2 * Pace::kAtOnceNs + 2 * static_cast<int64_t>(kMs))
        << close;
    EXPECT_GE(thread.missing_ns(), -allowed) << close;
  }
}

TEST(Pace, steps_of_few_calls_are_all_timed) {
  Thread thread;
  for (int step = 0; step < 1000; ++step) {
    thread.computes(kMs);
    thread.calls(2 * kMs);
    for (uint64_t i = 2; i < Pace::kSuccession; ++i) thread.calls(100);
  }
  EXPECT_EQ(thread.timed(), 1);
  EXPECT_EQ(thread.told(), 1);
}

// A long time in which all was known is not saved up.
TEST(Pace, a_program_that_changes_is_followed) {
  Thread thread;
  for (int i = 0; i < 10'000'000; ++i) thread.calls(100);
  const int64_t before = thread.missing_ns();
  for (int step = 0; step < 50; ++step) {
    thread.computes(kMs);
    thread.calls(2 * kMs);
    for (int i = 0; i < 200; ++i) thread.calls(100);
  }
  EXPECT_LE(thread.missing_ns() - before, int64_t{3 * 2 * kMs});
}

// The kernel's interruptions, 40 us every 4 ms, are not worth timing all calls.
TEST(Pace, interruptions_do_not_matter) {
  Thread thread;
  for (int i = 0; i < 1'000'000; ++i) {
    thread.calls(100);
    if (i % 40'000 == 0) thread.computes(40 * kUs);
  }
  EXPECT_LT(thread.timed(), 0.05);
  EXPECT_NEAR(thread.told(), 1, 0.01);
}

}  // namespace
}  // namespace vicino::pmpi
