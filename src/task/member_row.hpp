// member_row.hpp: tasks of a taskloop that lie in a row for one member of the crew.
//
// Why    It takes them from the front, in the order of the iterations, and has the same ones the
//        next time: what they touch is still in its cache. Who has none left takes from the back,
//        where the owner would come last. Both take several at once, and fewer towards the end, so
//        that nobody waits long for the last. Threads of other nodes take some only when they may,
//        and leave the first, which are strict.
// Source hierarchical scheduling of ILAN (papers/ilan, section III), where threads of a node have
//        one queue; see docs/design/ilan.md.
// Cost   one compare-and-swap each time, on a line that nobody else wants until the end.
//
// The word holds how far the front has come, and where the back is. Invariants
//  I1 front <= back; front only grows and back only falls, in one word: so each task is given once,
//     and a word that was seen never comes back while there are tasks.
//  I2 back does not fall below the strict part by take_far().
// No order is needed: what the tasks are was published by who gave the row to threads. It is
// sequentially consistent for who hands out threads' work and looks whether any is left, and who
// takes the last and looks whether work was handed out (team/ilan.cpp, C2).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "base/line.hpp"
#include "base/say.hpp"
#include "loop/range.hpp"
#include "plat/plat.hpp"

namespace vicino::task {

// Of this many tasks of a node, how many are strict: 31 in 100, at least one.
constexpr uint64_t strict_part(uint64_t tasks) noexcept {
  return tasks / 100 * 31 + (tasks % 100 * 31 + 99) / 100;
}

class alignas(kLine) MemberRow {
 public:
  // Tasks [0, count), of which so many are strict, and `most` are taken at once.
  void fill(uint32_t count, uint32_t strict, uint32_t most) noexcept {
    strict_ = strict;
    most_ = most;
    word_.store(packed(0, count), std::memory_order_relaxed);
  }

  // By its owner, by others of its node, by those of other nodes. Empty if there are none for them.
  loop::Range take() noexcept {
    return change(0, [](uint32_t& front, uint32_t&, uint32_t some) {
      return std::exchange(front, front + some);
    });
  }
  loop::Range take_near() noexcept { return take_back(0); }
  loop::Range take_far() noexcept { return take_back(strict_); }

  bool empty() const noexcept {
    const uint64_t word = word_.load(std::memory_order_seq_cst);
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

  // While there are tasks, and some behind the first `least`. take() gives the first it has taken.
  template <class Take>
  loop::Range change(uint32_t least, Take take) noexcept {
    uint64_t word = word_.load(std::memory_order_relaxed);
    for (;;) {
      uint32_t front = front_of(word), back = back_of(word);
      VICINO_CHECK(I1, front <= back);
      if (front == back || back <= least) return {};
      const uint32_t some = std::clamp((back - front) / 2, 1u, std::min(most_, back - least));
      const uint64_t begin = take(front, back, some);
      if (word_.compare_exchange_weak(word, packed(front, back), std::memory_order_seq_cst,
                                      std::memory_order_relaxed))
        return {begin, begin + some};
    }
  }

  plat::atomic<uint64_t> word_{0};
  uint32_t strict_ = 0, most_ = 1;
};

}  // namespace vicino::task
