// trapezoid.hpp: trapezoid self-scheduling: chunks that shrink by the same amount each time.
//
// Source Tzen and Ni, 1993: the first chunk is trip/2n, the last 1 (here: c); the sizes in between
//        fall linearly, so that a chunk's bounds follow from its number and one fetch_add claims
//        it.
// Cost   one fetch_add and a few multiplications per chunk; about 4n chunks.
//
// With sizes f, f-d, f-2d, … chunk i begins at i f - d i (i-1)/2. The decrease d is rounded down,
// so the falling part may cover the loop early; where rounding lets it end short, chunks of c
// follow. Memory order: relaxed, as in dynamic_shared.hpp.
#pragma once

#include "loop/plan.hpp"

namespace vicino::loop {

class Trapezoid {
 public:
  static constexpr std::string_view kName = "trapezoid";
  static constexpr std::string_view kSummary = "chunks that shrink by the same amount each time";
  static constexpr bool kOrdered = true;
  static constexpr bool kShared = true;

  void start(const Plan& plan) noexcept {
    trip_ = plan.trip;
    last_ = plan.chunk_or_one();
    first_ = std::max(plan.trip / (2 * uint64_t{plan.members}), last_);
    const uint64_t sum = first_ + std::min(last_, UINT64_MAX - first_);
    const uint64_t count = trip_ / sum * 2 + (trip_ % sum != 0 ? 2 : 0);
    decrease_ = count > 1 ? (first_ - last_) / (count - 1) : 0;
    falling_ = decrease_ > 0 ? (first_ - last_) / decrease_ + 1 : UINT64_MAX;
    taken_.store(0, std::memory_order_relaxed);
  }

  void enter(const Plan&, Cursor&) noexcept {}

  Range next(Cursor&) noexcept {
    const uint64_t mine = taken_.fetch_add(1, std::memory_order_relaxed);
    return {begin_of(mine), begin_of(mine + 1)};
  }

 private:
  // Clipped to the trip count; in 128 bits, for i f may lie past 2^64.
  uint64_t begin_of(uint64_t i) const noexcept {
    using Wide = unsigned __int128;
    const Wide n = std::min(i, falling_);
    Wide begin = n * first_ - (n > 0 ? n * (n - 1) / 2 * decrease_ : 0);
    begin += Wide{i - static_cast<uint64_t>(n)} * last_;
    return begin < trip_ ? static_cast<uint64_t>(begin) : trip_;
  }

  uint64_t trip_ = 0, first_ = 1, last_ = 1, decrease_ = 0, falling_ = 0;
  plat::atomic<uint64_t> taken_{0};
};
static_assert(LoopScheduler<Trapezoid>);

}  // namespace vicino::loop
