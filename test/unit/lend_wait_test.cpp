// lend/wait.hpp: how long a thread polls before it lends, and how long it sleeps between two looks.
// lend/late.hpp: where regions begin with room for a core that is lent while they run.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <new>

#include "lend/bell.hpp"
#include "lend/job.hpp"
#include "lend/late.hpp"
#include "lend/wait.hpp"

namespace vicino::lend {
namespace {

constexpr uint64_t kMs = 1'000'000;

TEST(LendWait, APlaceThatWaitsLongLendsSoon) {
  Expected expected;
  EXPECT_EQ(expected.poll_ns(), Expected::kLongNs);  // nothing is known yet
  for (int i = 0; i < 8; ++i) expected.add(3 * kMs);
  EXPECT_EQ(expected.poll_ns(), Expected::kSoonNs);
  for (int i = 0; i < 16; ++i) expected.add(kMs / 10);
  EXPECT_EQ(expected.poll_ns(), Expected::kLongNs);
}

TEST(LendWait, OneLongWaitAmongShortOnesIsForgotten) {
  Expected expected;
  for (int i = 0; i < 8; ++i) expected.add(kMs / 20);
  expected.add(1000 * kMs);
  expected.add(kMs / 20);
  EXPECT_EQ(expected.poll_ns(), Expected::kLongNs);
}

TEST(LendWait, PausesGrowWithTheWaitAndAreBounded) {
  EXPECT_EQ(pause_of(0), 50'000);
  EXPECT_EQ(root(0) + root(15) + root(16), 0 + 3 + 4);
  EXPECT_EQ(root(UINT64_MAX), UINT32_MAX);
  uint64_t last = 0;
  for (uint64_t ns = 1; ns < 1000 * kMs; ns *= 2) {
    EXPECT_GE(pause_of(ns), last);
    last = pause_of(ns);
  }
  EXPECT_EQ(last, kMs);
  EXPECT_NEAR(static_cast<double>(pause_of(10 * kMs)), 547'000, 1000);  // sqrt(2 * 15 us * 10 ms)
}

TEST(LendWait, AThreadPollsWhileNobodyHasItsCores) {
  Guests guests(7);
  EXPECT_FALSE(guests.are_at_work(false, 7, 0));
  EXPECT_FALSE(guests.are_at_work(false, 7, 1000 * kMs));
}

TEST(LendWait, AThreadLeavesItsCoresWhenTheGuestHasCome) {
  Guests guests(7);
  EXPECT_FALSE(guests.are_at_work(true, 7, 1 * kMs));
  EXPECT_FALSE(guests.are_at_work(true, 7, 1 * kMs + 1));
  EXPECT_TRUE(guests.are_at_work(true, 8, 1 * kMs + 2));
  EXPECT_TRUE(guests.are_at_work(true, 8, 1 * kMs + 3));
  EXPECT_FALSE(guests.are_at_work(true, 9, 2 * kMs));  // the borrower waits itself
  EXPECT_TRUE(guests.are_at_work(true, 9, 2 * kMs + Expected::kSoonNs));
  EXPECT_FALSE(guests.are_at_work(false, 9, 3 * kMs));  // it has given the cores back
  EXPECT_FALSE(guests.are_at_work(true, 9, 4 * kMs));   // the next one is coming
  EXPECT_TRUE(guests.are_at_work(true, 10, 4 * kMs + 1));
}

TEST(LendWait, AThreadDoesNotWaitForeverForAGuest) {
  Guests guests(7);
  EXPECT_FALSE(guests.are_at_work(true, 7, 1 * kMs));
  EXPECT_TRUE(guests.are_at_work(true, 7, 1 * kMs + Guests::kArrivalNs));
  Guests told(7);  // it was told before it looked
  EXPECT_TRUE(told.are_at_work(true, 8, 1 * kMs));
}

TEST(LendBell, WakesAnotherProcess) {
  void* const shared = mmap(nullptr, sizeof(plat::atomic<uint32_t>), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(shared, MAP_FAILED);
  auto& bell = *new (shared) plat::atomic<uint32_t>{0};
  const pid_t child = fork();
  if (child == 0) {
    const uint64_t begin = plat::now();
    while (bell.load() == 0) wait_between_processes(bell, 0, 60'000 * kMs);
    _exit(plat::now() - begin < 30'000 * kMs ? 0 : 1);
  }
  usleep(100'000);  // it sleeps by now, or will find the word changed
  bell.store(1);
  wake_between_processes(bell);
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  const uint64_t begin = plat::now();
  wait_between_processes(bell, 1, 20 * kMs);
  EXPECT_GE(plat::now() - begin, 20 * kMs);
  munmap(shared, sizeof bell);
}

// What `late` says of `count` executions that take `with` or `without` nanoseconds: how many of them had
// a late member. A core comes to `comes` of each ten.
int late_ones(Late& late, int count, uint64_t with, uint64_t without, int comes = 10) {
  int found = 0;
  for (int i = 0; i < count; ++i) {
    const bool here = i % 10 < comes;
    if (late.wants()) {
      ++found;
      late.ran_with(with, here);
    } else {
      late.ran_without(without, here);
    }
  }
  return found;
}

TEST(LendLate, APlaceWhereCoresComeGetsLateMembers) {
  Late late;
  EXPECT_EQ(late_ones(late, 2, kMs, kMs), 0);  // nothing is known yet
  EXPECT_GE(late_ones(late, 1000, kMs * 3 / 4, kMs), 980);
  EXPECT_LE(late_ones(late, 1000, kMs * 3 / 4, kMs, 0), 4);  // they have ceased to come
}

TEST(LendLate, WhereFewCoresComeThereAreFew) {
  Late never, seldom;
  EXPECT_EQ(late_ones(never, 1000, kMs, kMs, 0), 0);
  EXPECT_LE(late_ones(seldom, 1000, kMs, kMs, 3), 50);
}

TEST(LendLate, ShortRegionsAreNotWorthIt) {
  Late late;
  EXPECT_EQ(late_ones(late, 1000, Late::kLeastNs / 2, Late::kLeastNs - 1), 0);
}

TEST(LendLate, WhereItIsNotFasterItIsTriedLessAndLess) {
  Late late;
  const int first = late_ones(late, 1000, kMs, kMs);
  EXPECT_GE(first, Late::kTries);
  EXPECT_LE(first, 5 * Late::kTries);
  EXPECT_LE(late_ones(late, 20'000, kMs, kMs), 20 * Late::kTries);
  // It has become faster. At the end of the longest rest this is found out.
  late_ones(late, Late::kMostRest + 1, kMs / 2, kMs);
  EXPECT_GE(late_ones(late, 1000, kMs / 2, kMs), 980);
}

TEST(LendJob, AJobIsKnownByItsTextOrItsStarter) {
  EXPECT_EQ(identity_of({}), "");
  EXPECT_EQ(identity_of({"", "no process has this name"}), "");
  EXPECT_NE(identity_of({"a", ""}), identity_of({"b", ""}));
  EXPECT_EQ(identity_of({"a", ""}), identity_of({"a", ""}));
}

}  // namespace
}  // namespace vicino::lend
