// pace.hpp: which of a thread's calls are timed.
//
// Why    Two ranks of one machine exchange a short message in 100 ns, and to read the processor's counter before
//        and behind a call takes 18 ns.
// How    Where a thread's calls are close to each other, one in 32.5 is timed in the mean. It stands for all calls
//        since the one timed before, itself included. Which one is timed is drawn, for programs call in
//        patterns.
// Close  The next call that is timed shows whether that was right: if from one timed call to the next not more than
//        kCloseNs have passed for each call, none of those between can have waited long.
// Error  If more has passed, the thread has computed, or has waited in a call that was not timed. Nobody knows which,
//        and the time counts as computing. No more than 1/kKnown of the thread's time may be unknown in this way.
//        When it is more, all calls are timed until it is that little again. Time without an error is saved
//        up for kAtOnceNs of unknown time, so that an interruption by the kernel, which is shorter, changes nothing.
#pragma once

#include <algorithm>
#include <cstdint>

#include "base/hash.hpp"

namespace vicino::pmpi {

class Pace {
 public:
  // Ten times a short message. Neither from a close call to the next nor in it does more time pass.
  static constexpr uint64_t kCloseNs = 1000;
  static constexpr int64_t kKnown = 64, kAtOnceNs = 1'000'000;
  static constexpr uint64_t kSuccession = 64;  // close calls before one is not timed
  static constexpr int kStrideBits = 6;        // one in 1 to 64 calls is timed

  // Whether the thread's next call is timed.
  bool times_next() noexcept {
    if (untimed_ == 0) return true;
    --untimed_;
    return false;
  }

  // A timed call has ended that took `ns`, and began `before` ns after the end of the one timed before it.
  // Returns for how many calls it stands.
  uint64_t ended(uint64_t before, uint64_t ns) noexcept {
    const uint64_t calls = stride_;
    const bool was_close = before <= calls * kCloseNs;
    balance_ += static_cast<int64_t>(before + ns);
    if (!was_close && calls > 1) balance_ -= kKnown * static_cast<int64_t>(before);
    balance_ = std::min(balance_, kKnown * kAtOnceNs);
    if (!was_close || ns > kCloseNs) {
      close_ = 0;
      stride_ = 1;
      return 1;
    }
    close_ += calls;
    if (close_ >= kSuccession && balance_ > 0) {
      stride_ = draw();
      untimed_ = stride_ - 1;
    }
    return calls;
  }

 private:
  uint64_t draw() noexcept {
    random_ = splitmix64(random_);
    return 1 + (random_ >> (64 - kStrideBits));
  }

  uint64_t untimed_ = 0;  // how many of the next calls are not timed
  uint64_t stride_ = 1;   // of the next timed call
  uint64_t close_ = 0;    // calls in succession that were close
  int64_t balance_ = 0;   // the thread's time less kKnown times what is unknown, ns
  uint64_t random_ = 0;
};

}  // namespace vicino::pmpi
