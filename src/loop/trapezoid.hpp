// trapezoid.hpp: trapezoid self-scheduling: chunks that shrink by the same amount each time.
//
// Source Tzen and Ni, 1993: the first chunk is trip/2n, the last 1 (here: c); the sizes in between
//        fall linearly, so that a chunk's bounds follow from its number and one fetch_add claims
//        it.
// Cost   one fetch_add and a few multiplications per chunk; about 4n chunks.
//
// With sizes f, f-d, f-2d, … chunk i begins at i f - d i (i-1)/2. The decrease d is rounded down,
// so the falling part may cover the loop early; where rounding makes it end short, chunks of c
// follow. Memory order: relaxed, as in dynamic_shared.hpp.
#pragma once

#include "loop/plan.hpp"

namespace vicino::loop {

class Trapezoid : public NothingToSet {
 public:
  static constexpr std::string_view kName = "trapezoid";
  static constexpr std::string_view kSummary = "chunks that shrink by the same amount each time";
  static constexpr bool kOrdered = true;
  static constexpr bool kShared = true;

  void start(const Plan&) noexcept { taken_.store(0, std::memory_order_relaxed); }

  struct Local {
    uint64_t trip;
    uint64_t first, last;  // iterations in these chunks
    uint64_t decrease;
    uint64_t falling;  // how many chunks are not yet of the last one's size
  };

  Local enter(const Plan& plan, uint32_t) noexcept {
    const uint64_t last = plan.chunk_or_one();
    const uint64_t first = std::max(plan.trip / (2 * uint64_t{plan.members}), last);
    const uint64_t sum = first + std::min(last, UINT64_MAX - first);
    const uint64_t count = plan.trip / sum * 2 + (plan.trip % sum != 0 ? 2 : 0);
    const uint64_t decrease = count > 1 ? (first - last) / (count - 1) : 0;
    return {.trip = plan.trip,
            .first = first,
            .last = last,
            .decrease = decrease,
            .falling = decrease > 0 ? (first - last) / decrease + 1 : UINT64_MAX};
  }

  Range next(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    const uint64_t mine = taken_.fetch_add(1, std::memory_order_relaxed);
    return {begin_of(my, mine), begin_of(my, mine + 1)};
  }

 private:
  // Clipped to the trip count; in 128 bits, since i f may lie past 2^64.
  static uint64_t begin_of(const Local& my, uint64_t i) noexcept {
    using Wide = unsigned __int128;
    const Wide n = std::min(i, my.falling);
    Wide begin = n * my.first - (n > 0 ? n * (n - 1) / 2 * my.decrease : 0);
    begin += Wide{i - static_cast<uint64_t>(n)} * my.last;
    return begin < my.trip ? static_cast<uint64_t>(begin) : my.trip;
  }

  plat::atomic<uint64_t> taken_{0};
};
static_assert(LoopScheduler<Trapezoid>);

}  // namespace vicino::loop
