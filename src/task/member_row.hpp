// member_row.hpp: tasks of a taskloop that lie in a row for one member of the crew.
//
// Why    The owner takes tasks from the front, in the order of the iterations, and has the same
//        tasks the next time: what they touch is still in its cache. A thread whose row is empty
//        takes tasks from the back of another row, which its owner would reach last. Both take
//        several tasks at once, and fewer towards the end, so that no thread waits long for the
//        last task. Threads of other near domains take tasks only when they may, and leave the first ones,
//        which are strict.
// Source hierarchical scheduling of ILAN (papers/ilan, section III), where threads of a node have
//        one queue; see docs/design/ilan.md.
// Cost   one compare-and-swap each time, on a line that no other thread wants until the end.
//
// The word holds how far the front has come, and where the back is. Invariants
//  I1 front <= back; front only grows and back only falls, in one word: so each task is given once,
//     and a word that was seen never comes back while there are tasks.
//  I2 take_far() does not move back below the strict part.
// Memory order
//  C2 of tasking/ilan.cpp: a thread that hands out runners looks whether any task is left, and a
//     thread that takes the last task looks whether runners were handed out. So taking and looking
//     are sequentially consistent. Otherwise relaxed would be enough: what the tasks are was
//     published by the thread that gave the row to others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/say.hpp"
#include "loop/range.hpp"
#include "plat/plat.hpp"

namespace vicino::task {

// How many of this many tasks of a near domain are strict: 31 in 100, at least one.
constexpr uint64_t strict_part(uint64_t tasks) noexcept {
  return tasks / 100 * 31 + (tasks % 100 * 31 + 99) / 100;
}

class MemberRow {
 public:
  // Tasks [0, count). The first `strict` are strict; at most `most` are taken at once.
  void fill(uint32_t count, uint32_t strict, uint32_t most) noexcept {
    strict_ = strict;
    most_ = most;
    word_.store(packed(0, count), std::memory_order_relaxed);
  }

  // take() is for the row's owner, take_near() for other threads of its near domain, take_far()
  // for threads of other domains. Empty if there is no task for the caller.
  loop::Range take() noexcept {
    return change(0, [](uint32_t& front, uint32_t&, uint32_t some) {
      return std::exchange(front, front + some);
    });
  }
  loop::Range take_near() noexcept { return take_back(0); }
  loop::Range take_far() noexcept { return take_back(strict_); }

  bool empty() const noexcept {
    const uint64_t word = word_.load(std::memory_order_seq_cst);  // C2
    return front_of(word) == back_of(word);
  }

 private:
  static constexpr uint64_t packed(uint32_t front, uint32_t back) noexcept {
    return uint64_t{front} << 32 | back;
  }
  static constexpr uint32_t front_of(uint64_t word) noexcept {
    return static_cast<uint32_t>(word >> 32);
  }
  static constexpr uint32_t back_of(uint64_t word) noexcept { return static_cast<uint32_t>(word); }

  loop::Range take_back(uint32_t least) noexcept {
    return change(least, [](uint32_t&, uint32_t& back, uint32_t some) { return back -= some; });
  }

  // Takes tasks if there are some behind the first `least`. take() moves the front or the back and
  // returns the number of the first task taken.
  template <class Take>
  loop::Range change(uint32_t least, Take take) noexcept {
    uint64_t word = word_.load(std::memory_order_relaxed);
    for (;;) {
      uint32_t front = front_of(word), back = back_of(word);
      VICINO_CHECK(I1, front <= back);
      if (front == back || back <= least) return {};
      const uint32_t some = std::clamp((back - front) / 2, 1u, std::min(most_, back - least));
      const uint64_t begin = take(front, back, some);
      if (word_.compare_exchange_weak(word, packed(front, back), std::memory_order_seq_cst,  // C2
                                      std::memory_order_relaxed))
        return {begin, begin + some};
    }
  }

  plat::atomic<uint64_t> word_{0};
  uint32_t strict_ = 0, most_ = 1;
};

}  // namespace vicino::task
