// fork_gate.hpp: short sections of many threads, none of which fork() may interrupt.
//
// Why    A child of fork() has one thread. A lock that another thread held is never released there, and what that
//        thread was changing stays half changed. Where such locks lie in objects that come and go, fork() cannot
//        hold each of them; so each section passes a gate, which fork() closes. Then no thread is in any of them.
// Cost   two RMWs on a line of the process for each section.
// Not    mutual exclusion: threads are inside together. A thread inside neither enters again nor calls fork(): both
//        would wait for that thread itself.
//
// The word: bit 0: closed; above it the number of threads inside, and of those that find the gate closed and are
//        about to leave again.
// Invariants
//  I1 after close() no thread is inside until open(): each RMW of enter() comes before close()'s in the order of the
//     word, and then close() waits for that thread to leave, or after it, and then it finds the bit.
//  I2 no wake-up is lost. close() sleeps on a word with the bit and some number; the thread that makes this number 0
//     finds the bit and wakes all. enter() sleeps on a word with the bit; open() takes the bit away and wakes all.
// Memory order
//  (1) leave() is a release, and the loads of close() and await_empty() are acquires: what was done inside comes before
//      what follows these. (2) open() is a release and enter() an acquire: the thread inside comes after the fork.
#pragma once

#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::sync {

class ForkGate {
 public:
  class Inside {
   public:
    explicit Inside(ForkGate& gate) noexcept : gate_(gate) { gate_.enter(); }
    ~Inside() { gate_.leave(); }
    Inside(const Inside&) = delete;

   private:
    ForkGate& gate_;
  };

  void enter() noexcept {
    while (word_.fetch_add(kOne, std::memory_order_acquire) & kClosed) {  // (2), I1
      leave();
      await_open();
    }
  }
  void leave() noexcept {
    if (word_.fetch_sub(kOne, std::memory_order_release) == (kOne | kClosed)) [[unlikely]]  // (1)
      plat::wake(word_);                                                                    // I2
  }

  // Returns when no thread has been inside for a moment.
  void await_empty() noexcept {
    for (;;) {
      const uint32_t seen = word_.load(std::memory_order_acquire);  // (1)
      if ((seen & ~kClosed) == 0) return;
      plat::Budget budget{.ns = 1000, .share_core = true};
      plat::wait_on(word_, seen, budget);
    }
  }

  // For fork(), one thread at a time.
  void close() noexcept {
    word_.fetch_or(kClosed, std::memory_order_relaxed);  // I1
    for (;;) {
      const uint32_t seen = word_.load(std::memory_order_acquire);  // (1)
      if (seen == kClosed) return;
      plat::sleep_on(word_, seen);  // I2
    }
  }
  void open() noexcept {
    word_.fetch_and(~kClosed, std::memory_order_release);  // (2)
    plat::wake(word_);                                     // I2
  }
  // In the child, which has no thread that waits for this: those at the closed gate are not there. Relaxed: it has one
  // thread.
  void open_in_child() noexcept { word_.store(0, std::memory_order_relaxed); }

 private:
  static constexpr uint32_t kClosed = 1, kOne = 2;

  void await_open() noexcept {
    uint32_t seen;
    while ((seen = word_.load(std::memory_order_relaxed)) & kClosed) plat::sleep_on(word_, seen);
  }

  plat::atomic<uint32_t> word_{0};
};

}  // namespace vicino::sync
