// bell.hpp: a word at which threads sleep that wait for different things.
//
// Why    An event count (event_count.hpp) is for threads that wait for its value, or for one thing that
//        notify() tells of. Where each sleeper waits for something else, a thread that is not done sets
//        the sleepers bit again, and another one that was just woken, but is not asleep yet, could find
//        the word as it had left it: it would sleep, and what it waits for has been told already. So here
//        each ring changes the word for good.
// Cost   ring: a load, where nobody sleeps. sleep: an RMW, a heavy fence and the system call.
//
// The word is `rings << 1 | sleepers`. The futex compares 32 bits; 2^31 rings do not pass while one thread
// goes to sleep.
// Invariants
//  I1 whatever clears the sleepers bit raises `rings` in the same RMW, and then wakes all sleepers.
//  I2 a thread sleeps only on a word with the bit that it has set, or found set, before it last looked at
//     what it waits for. By I1 nobody has rung since, or it does not sleep.
// Memory order
//  R1 ring() passes the light fence and reads the word, after what it tells of was stored; sleep() sets the
//     bit, passes the heavy fence and looks. At least one sees what the other wrote (F1 of
//     plat/native/plat.hpp): so a thread that sleeps is seen by the ring. The word itself orders nothing.
#pragma once

#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::sync {

class Bell {
 public:
  // Called after each store that may end a wait.
  void ring() noexcept {
    plat::light_fence();  // R1
    uint64_t word = word_.load(std::memory_order_relaxed);
    while ((word & kSleepers) != 0) [[unlikely]]
      if (word_.compare_exchange_weak(word, ((word >> 1) + 1) << 1,
                                      std::memory_order_relaxed))  // I1
        return plat::wake(word_);
  }

  // Sleeps until the bell rings, for at most `most_ns`; may return early. It does not sleep if done(), which
  // looks at what the caller waits for. Then the bit stays set, and the next ring makes a system call for nobody.
  template <class Done>
  void sleep(Done done, uint64_t most_ns) noexcept {
    const uint64_t word = word_.fetch_or(kSleepers, std::memory_order_relaxed) | kSleepers;
    plat::heavy_fence();                                // R1
    if (!done()) plat::sleep_on(word_, word, most_ns);  // I2
  }

 private:
  static constexpr uint64_t kSleepers = 1;
  plat::atomic<uint64_t> word_{0};
};

}  // namespace vicino::sync
