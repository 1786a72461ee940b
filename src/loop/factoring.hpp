// factoring.hpp: factoring self-scheduling: batches of equal chunks, each batch half of what is
// left.
//
// Source Hummel, Schonberg and Flynn, 1992, with a factor of two (FAC2): half of what is left is
//        cut into one chunk for each of the n members, rounded up and at least c; then half of the
//        rest, and so on. It needs fewer claims than guided at the same balance, since chunks
//        shrink once in n claims.
// How    As in guided.hpp, a chunk follows from its number, which one fetch_add claims. Each member
//        steps from batch to batch by itself, at most 64 times a loop.
// Memory order: relaxed, as in dynamic_shared.hpp.
#pragma once

#include "loop/plan.hpp"

namespace vicino::loop {

class Factoring : public NothingToSet {
 public:
  static constexpr std::string_view kName = "factoring";
  static constexpr std::string_view kSummary =
      "batches of equal chunks, each of half of what is left";
  static constexpr bool kOrdered = true;
  static constexpr bool kShared = true;

  void start(const Plan&) noexcept { claimed_.store(0, std::memory_order_relaxed); }

  struct Local {
    uint64_t trip;
    uint64_t least;  // iterations in a chunk
    uint64_t members;
    // The batch: the number of its first chunk, where that begins, and the size of its chunks.
    uint64_t first = 0, begin = 0, size = 0;

    uint64_t left() const noexcept { return trip - begin; }
  };

  Local enter(const Plan& plan, uint32_t) noexcept {
    Local my{plan.trip, plan.chunk_or_one(), plan.members};
    my.size = size_at(my);
    return my;
  }

  Range next(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    const uint64_t number = claimed_.fetch_add(1, std::memory_order_relaxed);
    while (my.size > 0 && number - my.first >= my.members) {
      my.begin += std::min(saturated(my.size, my.members), my.left());
      my.first += my.members;
      my.size = size_at(my);
    }
    return chunk(my, number - my.first);
  }

 private:
  static uint64_t saturated(uint64_t a, uint64_t b) noexcept {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
  }

  static uint64_t size_at(const Local& my) noexcept {
    const uint64_t half = my.left() / 2 + my.left() % 2;
    return std::min(std::max(half / my.members + (half % my.members != 0), my.least), my.left());
  }

  // The batch's chunk i.
  static Range chunk(const Local& my, uint64_t i) noexcept {
    const uint64_t begin = std::min(saturated(i, my.size), my.left());
    return {my.begin + begin, my.begin + begin + std::min(my.size, my.left() - begin)};
  }

  plat::atomic<uint64_t> claimed_{0};
};
static_assert(LoopScheduler<Factoring>);

}  // namespace vicino::loop
