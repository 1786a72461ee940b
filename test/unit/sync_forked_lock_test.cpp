// sync/lock.hpp: a lock that a thread of the parent process held is free in a child of fork(), once.
#include <gtest/gtest.h>

#include "sync/lock.hpp"

namespace vicino::sync {
namespace {

constexpr plat::Budget kPatience{.ns = 1000};

TEST(ForkedLock, IsFreeInTheNextProcessForOneThread) {
  ForkedLock lock, contended;
  lock.acquire(kPatience);
  contended.acquire(kPatience);
  EXPECT_TRUE(lock.held());
  EXPECT_FALSE(lock.try_acquire());
  ForkedWords::begin_generation();
  EXPECT_FALSE(lock.held());
  EXPECT_TRUE(lock.try_acquire());
  EXPECT_TRUE(lock.held());
  EXPECT_FALSE(lock.try_acquire());
  lock.release();
  EXPECT_FALSE(lock.held());
  contended.acquire({.ns = 0});  // by the way of a thread that sleeps
  EXPECT_FALSE(contended.try_acquire());
  contended.release();
  EXPECT_TRUE(contended.try_acquire());
}

TEST(ForkedLock, StaysHeldIfItsHolderSurvives) {
  ForkedLock lock;
  lock.acquire(kPatience);
  ForkedWords::begin_generation();
  lock.adopt();
  EXPECT_FALSE(lock.try_acquire());
  lock.release();
  EXPECT_TRUE(lock.try_acquire());
}

TEST(ForkedLock, IsNotOutlivedTwice) {
  ForkedLock lock;
  lock.acquire(kPatience);
  for (int child = 0; child < 3; ++child) {
    ForkedWords::begin_generation();
    lock.acquire(kPatience);
    EXPECT_FALSE(lock.try_acquire());
  }
}

}  // namespace
}  // namespace vicino::sync
