// lock.hpp: mutual exclusion in four bytes, and a nestable one in eight.
//
// Why    gcc's omp_lock_t is 4 bytes, gfortran's nest lock 8, and a critical's name starts as zeros
//        that nobody initialises: a lock is one word, free at zero, with no destructor.
// Cost   alone: one exchange-like RMW to take, one to leave. Contended: takers watch the word and
//        try when it looks free; after a while they sleep and the holder wakes one.
// Not    fair. A holder that comes straight back often gets it again, which on a busy lock is
//        several times the throughput of a queue, since the line and the data stay where they are.
//
// The word is 0 free, 1 held, 2 held and perhaps slept upon.
// Invariants
//  I1 whoever takes the word from 0 to something holds the lock, and nobody else.
//  I2 a thread sleeps only while the word is 2; a thread that has slept takes the lock as 2, since
//     others may sleep still. So a release that finds 1 leaves nobody asleep.
// Memory order
//  L1 taking is an acquire RMW, L2 leaving a release exchange: a critical section sees all of the
//     ones before it. The watch in between is relaxed: it only decides when to try.
#pragma once

#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::sync {

// Between two looks at a lock that is taken. A look takes the line away from the holder, which is
// about to write it; and a holder that comes straight back does more good than a quick successor.
inline constexpr int kPauses = 8;

class Lock {
 public:
  bool try_acquire() noexcept {
    uint32_t free = kFree;
    return word_.load(std::memory_order_relaxed) == kFree &&
           word_.compare_exchange_strong(free, kHeld, std::memory_order_acquire,  // L1
                                         std::memory_order_relaxed);
  }

  void acquire(const plat::Budget& patience) noexcept {
    uint32_t free = kFree;
    if (!word_.compare_exchange_strong(free, kHeld, std::memory_order_acquire,  // L1
                                       std::memory_order_relaxed))
      acquire_contended(patience);
  }

  void release() noexcept {
    if (word_.exchange(kFree, std::memory_order_release) == kSleepers) plat::wake(word_, 1);  // L2
  }

  bool held() const noexcept { return word_.load(std::memory_order_relaxed) != kFree; }

 private:
  static constexpr uint32_t kFree = 0, kHeld = 1, kSleepers = 2;

  [[gnu::noinline]] void acquire_contended(plat::Budget budget) noexcept {
    budget.pauses = kPauses;
    while (budget.ns > 0) {
      const uint32_t seen = word_.load(std::memory_order_relaxed);
      if (seen == kFree) {
        if (try_acquire()) return;
      } else if (plat::wait_on(word_, seen, budget) == seen) {
        break;
      }
    }
    while (word_.exchange(kSleepers, std::memory_order_acquire) != kFree)  // L1, I2
      plat::sleep_on(word_, kSleepers);
  }

  plat::atomic<uint32_t> word_{kFree};
};
static_assert(sizeof(Lock) == 4);

// A lock that its owner may take again. Owners are numbers from 1 to 2^31 - 1, given by the caller,
// of which no two at the same time are the same: OpenMP's owner is a task.
//
// The word is 0 when free, else `owner << 1 | sleepers`; I1, I2, L1 and L2 hold for it with "the
// sleepers bit" for 2. A relaxed look tells whether the caller is the owner: only it writes its
// number.
class NestLock {
 public:
  // Gives the depth reached, 1 when newly taken.
  uint32_t acquire(uint32_t owner, const plat::Budget& patience) noexcept {
    if (owner_now() != owner && !take(owner)) acquire_contended(owner, patience);
    return ++depth_;
  }

  // Gives the depth reached, or 0 when somebody else holds it.
  uint32_t try_acquire(uint32_t owner) noexcept {
    return owner_now() == owner || take(owner) ? ++depth_ : 0;
  }

  // Gives the depth left.
  uint32_t release() noexcept {
    const uint32_t left = --depth_;
    if (left == 0 && (word_.exchange(kFree, std::memory_order_release) & kSleepers))  // L2
      plat::wake(word_, 1);
    return left;
  }

  bool held() const noexcept { return word_.load(std::memory_order_relaxed) != kFree; }

 private:
  static constexpr uint32_t kFree = 0, kSleepers = 1;

  uint32_t owner_now() const noexcept { return word_.load(std::memory_order_relaxed) >> 1; }

  bool take(uint32_t owner, uint32_t sleepers = 0) noexcept {
    uint32_t free = kFree;
    return word_.compare_exchange_strong(free, owner << 1 | sleepers,
                                         std::memory_order_acquire,  // L1
                                         std::memory_order_relaxed);
  }

  [[gnu::noinline]] void acquire_contended(uint32_t owner, plat::Budget budget) noexcept {
    budget.pauses = kPauses;
    while (budget.ns > 0) {
      const uint32_t seen = word_.load(std::memory_order_relaxed);
      if (seen == kFree) {
        if (take(owner)) return;
      } else if (plat::wait_on(word_, seen, budget) == seen) {
        break;
      }
    }
    while (!take(owner, kSleepers)) {  // I2
      uint32_t seen = word_.load(std::memory_order_relaxed);
      if (seen != kFree &&
          ((seen & kSleepers) ||
           word_.compare_exchange_strong(seen, seen | kSleepers, std::memory_order_relaxed)))
        plat::sleep_on(word_, seen | kSleepers);
    }
  }

  plat::atomic<uint32_t> word_{kFree};
  uint32_t depth_ = 0;
};
static_assert(sizeof(NestLock) == 8);

}  // namespace vicino::sync
