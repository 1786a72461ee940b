// lock.hpp: mutual exclusion in four bytes, also across fork(), and a nestable lock in eight.
//
// Why    gcc's omp_lock_t is 4 bytes, gfortran's nest lock 8, and a critical's name starts as zeros
//        that nobody initialises: a lock is one word, free at zero, with no destructor. A child of
//        fork() whose parent had a thread in a critical region would wait in it for ever.
// Cost   alone: one exchange-like RMW to take the lock, one to release it. Contended: waiting
//        threads watch the word and try when it looks free; after a while they sleep, and the
//        holder wakes one of them.
// Not    fair. A holder that comes straight back often gets the lock again, which on a busy lock is
//        several times the throughput of a queue, since the line and the data stay where they are.
//
// The word: 0: free; 1: held; 2: held, and perhaps threads sleep on it. A ForkedLock, which is used for
//        what lies in the program's memory where no child of fork() could find it, adds the process's
//        generation, which fork() advances in the child: `generation << 2 | 1` or `| 2`. A held word of
//        another generation is outlived: its holder is a thread that this process does not have. It
//        counts as free, with one exception, the locks that the forking thread itself holds: the child
//        stamps these with its own generation before anything else (adopt()). In a process that is no
//        such child the words are those of a Lock.
// Invariants
//  I1 the thread that changes the word from 0 holds the lock, and no other thread does.
//  I2 a thread sleeps only while the word is 2. A thread that has slept takes the lock by writing
//     2, since others may still sleep. So a release that finds 1 leaves no thread asleep.
//  I3 a word is outlived for all threads of a process or for none, and stays so until one of them takes
//     the lock by an RMW that finds that word. So one thread takes it, and none sleeps on it.
// Memory order
//  L1 taking is an acquire RMW, L2 releasing a release exchange: a critical section sees all of the
//     ones before it. The loads while a thread watches the word are relaxed: they only decide when
//     it tries. Nobody releases an outlived lock; what its holder did before fork() is in the child's
//     memory as fork() has copied it.
//  L3 the generation is written where the child has one thread, and threads are started after that. So
//     relaxed loads find it.
#pragma once

#include <concepts>
#include <cstdint>

#include "base/line.hpp"
#include "plat/plat.hpp"

namespace vicino::sync {

// Pauses between two looks at a lock that is taken. A look takes the line away from the holder,
// which is about to write it; and a holder that comes straight back gives more throughput than a
// quick successor. Where a thread finds the lock free and is still too late to take it, holders come
// and go faster than a line moves between cores, and from then on it looks less often.
inline constexpr int kPauses = 8, kPausesWhenLate = 64;

// The words of locks that no fork() concerns.
struct PlainWords {
  static constexpr uint32_t held() noexcept { return 1; }
  static constexpr uint32_t sleepers() noexcept { return 2; }
  static constexpr bool is_outlived(uint32_t) noexcept { return false; }
};

// The words of one process among the children of fork().
class ForkedWords {
 public:
  static uint32_t held() noexcept { return generation() | 1; }
  static uint32_t sleepers() noexcept { return generation() | 2; }
  static bool is_outlived(uint32_t word) noexcept {
    return word != 0 && (word & ~uint32_t{3}) != generation();
  }
  // In a child, before it takes any such lock. After 2^30 forks in a row numbers come again.
  static void begin_generation() noexcept {
    generation_.store(generation() + 4, std::memory_order_relaxed);  // L3
  }

 private:
  static uint32_t generation() noexcept {
    return generation_.load(std::memory_order_relaxed);  // L3
  }

  static inline constinit plat::atomic<uint32_t> generation_{0};
};

template <class Words>
class LockOf {
 public:
  bool try_acquire() noexcept {
    uint32_t seen = word_.load(std::memory_order_relaxed);
    return is_free(seen) &&
           word_.compare_exchange_strong(seen, Words::held(), std::memory_order_acquire,  // L1, I3
                                         std::memory_order_relaxed);
  }

  void acquire(const plat::Budget& patience) noexcept {
    uint32_t free = kFree;
    if (!word_.compare_exchange_strong(free, Words::held(), std::memory_order_acquire,  // L1
                                       std::memory_order_relaxed))
      acquire_contended(patience);
  }
  // The same; `patience` is a function, which is called only if the lock is not free.
  template <std::invocable Patience>
  void acquire(Patience patience) noexcept {
    uint32_t free = kFree;
    if (!word_.compare_exchange_strong(free, Words::held(), std::memory_order_acquire,  // L1
                                       std::memory_order_relaxed)) [[unlikely]]
      acquire_late(patience);
  }

  void release() noexcept {
    if (word_.exchange(kFree, std::memory_order_release) == Words::sleepers())  // L2
      plat::wake(word_, 1);
  }

  bool held() const noexcept { return !is_free(word_.load(std::memory_order_relaxed)); }

  // In a child of fork(): the only thread holds this lock since before. Relaxed, as L3.
  void adopt() noexcept { word_.store(Words::held(), std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kFree = 0;

  static bool is_free(uint32_t word) noexcept { return word == kFree || Words::is_outlived(word); }

  // Apart from acquire(): a budget takes room on the stack, which clang makes before it looks at the lock.
  template <class Patience>
  [[gnu::noinline, gnu::cold]] void acquire_late(Patience patience) noexcept {
    acquire_contended(patience());
  }
  [[gnu::noinline]] void acquire_contended(plat::Budget budget) noexcept {
    budget.pauses = kPauses;
    while (budget.ns > 0) {
      const uint32_t seen = word_.load(std::memory_order_relaxed);
      if (is_free(seen)) {
        if (try_acquire()) return;
        budget.pauses = kPausesWhenLate;
      } else if (plat::wait_on(word_, seen, budget) == seen) {
        break;
      }
    }
    while (!is_free(word_.exchange(Words::sleepers(), std::memory_order_acquire)))  // L1, I2, I3
      plat::sleep_on(word_, Words::sleepers());
  }

  plat::atomic<uint32_t> word_{kFree};
};
using Lock = LockOf<PlainWords>;
using ForkedLock = LockOf<ForkedWords>;
static_assert(sizeof(Lock) == 4 && sizeof(ForkedLock) == 4);

// A lock that its owner may take again. An owner is a number from 1 to 2^31 - 1, given by the
// caller; no two owners have the same number at the same time. OpenMP's owner is a task.
//
// The word is 0 when free, else `owner << 1 | sleepers`; I1, I2, L1 and L2 hold for it with "the
// sleepers bit is set" in place of "the word is 2". A relaxed load is enough to tell whether the
// caller is the owner, because only the owner writes its number. Setting the sleepers bit is
// relaxed because the thread takes the lock later, by an acquire (L1).
class NestLock {
 public:
  // Returns the depth reached, 1 when newly taken. `patience` is a function, as in LockOf.
  template <std::invocable Patience>
  uint32_t acquire(uint32_t owner, Patience patience) noexcept {
    if (owner_now() != owner && !take(owner)) [[unlikely]]
      acquire_late(owner, patience);
    return ++depth_;
  }

  // Returns the depth reached, or 0 when another owner holds the lock.
  uint32_t try_acquire(uint32_t owner) noexcept {
    return owner_now() == owner || take(owner) ? ++depth_ : 0;
  }

  // Returns the depth left.
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

  template <class Patience>
  [[gnu::noinline, gnu::cold]] void acquire_late(uint32_t owner, Patience patience) noexcept {
    acquire_contended(owner, patience());
  }
  [[gnu::noinline]] void acquire_contended(uint32_t owner, plat::Budget budget) noexcept {
    budget.pauses = kPauses;
    while (budget.ns > 0) {
      const uint32_t seen = word_.load(std::memory_order_relaxed);
      if (seen == kFree) {
        if (take(owner)) return;
        budget.pauses = kPausesWhenLate;
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

// The critical regions that the calling thread is in, for a child of fork(): they nest. A critical region
// in an untied task may end on another thread; then a list names one too many or too few, and a child of
// that thread may wait for a lock as if this list were not there.
class Criticals {
 public:
  void push(ForkedLock& lock) noexcept {
    if (depth_ < kMost) locks_[depth_] = &lock;
    ++depth_;
  }
  void pop() noexcept {
    if (depth_ > 0) --depth_;
  }
  // By the only thread of a child: its own locks stay held, and those of the parent's other threads are
  // free. Where it is in more than kMost critical regions, all locks stay as they are.
  void survive_fork() const noexcept {
    if (depth_ > kMost) return;
    ForkedWords::begin_generation();
    for (uint32_t i = 0; i < depth_; ++i) locks_[i]->adopt();
  }

 private:
  // As many as fill a cache line of each thread's. Nests this deep are not known; to name one more would cost no time,
  // but static TLS, of which a process that loads this library late has little.
  static constexpr uint32_t kMost = 7;

  uint32_t depth_ = 0;
  ForkedLock* locks_[kMost] = {};
};
static_assert(sizeof(Criticals) == kLine);
inline thread_local constinit Criticals criticals;

}  // namespace vicino::sync
