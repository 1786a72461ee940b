// node_row.hpp: tasks of a taskloop that lie in a row for one node's threads.
//
// Why    Threads of the node take them from the front, in the order of the iterations, so that what
//        they touch together lies together. Threads of other nodes, when they may, take from the
//        back, where the node would come last; and never of the first tasks, which are strict: by
//        then the node has its data in its caches.
// Source hierarchical scheduling of ILAN (papers/ilan, section III)
// Cost   one compare-and-swap a task, on a line that the node's threads share.
//
// The word holds how far the front has come, and where the back is. Invariants
//  I1 front <= back; front only grows and back only falls, one at a time, in one word: so each task
//     is given once, and a word that was seen never comes back while there are tasks.
//  I2 back does not fall below the strict part by take_far().
// No order is needed: what the tasks are was published by who gave the row to threads. It is
// sequentially consistent for who hands out threads' work and looks whether any is left, and who
// takes the last and looks whether work was handed out (team/ilan.cpp, C2).
#pragma once

#include <cstdint>
#include <optional>

#include "base/line.hpp"
#include "base/say.hpp"
#include "plat/plat.hpp"

namespace vicino::task {

class alignas(kLine) NodeRow {
 public:
  // Of this many tasks, how many are strict: 31 in 100, at least one.
  static constexpr uint32_t strict_part(uint32_t tasks) noexcept {
    return static_cast<uint32_t>((uint64_t{tasks} * 31 + 99) / 100);
  }

  // Tasks [first, first + count).
  void fill(uint64_t first, uint32_t count) noexcept {
    first_ = first;
    strict_ = strict_part(count);
    word_.store(packed(0, count), std::memory_order_relaxed);
  }

  std::optional<uint64_t> take() noexcept {
    return change(0, [](uint32_t& front, uint32_t&) { return front++; });
  }
  std::optional<uint64_t> take_far() noexcept {
    return change(strict_, [](uint32_t&, uint32_t& back) { return --back; });
  }

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

  // While there are tasks, and some behind the first `least`.
  template <class Take>
  std::optional<uint64_t> change(uint32_t least, Take take) noexcept {
    uint64_t word = word_.load(std::memory_order_relaxed);
    for (;;) {
      uint32_t front = front_of(word), back = back_of(word);
      VICINO_CHECK(I1, front <= back);
      if (front == back || back <= least) return std::nullopt;
      const uint32_t taken = take(front, back);
      if (word_.compare_exchange_weak(word, packed(front, back), std::memory_order_seq_cst,
                                      std::memory_order_relaxed))
        return first_ + taken;
    }
  }

  plat::atomic<uint64_t> word_{0};
  uint64_t first_ = 0;
  uint32_t strict_ = 0;
};

}  // namespace vicino::task
