// guided.hpp: OpenMP's schedule(guided, c): chunks that shrink with what is left.
//
// Each chunk is the 2n-th part of the iterations left (n members), at least c. Half of what n
// would give: the first chunks of a plain n-th part are so large that one costly stretch at a
// loop's beginning cannot be made good any more, and the price is only one more claim per halving.
//
// Cost   one load and one CAS per chunk; log(trip) chunks.
// Memory order: relaxed, as in dynamic_shared.hpp.
#pragma once

#include "loop/plan.hpp"

namespace vicino::loop {

class Guided {
 public:
  static constexpr std::string_view kName = "guided";
  static constexpr std::string_view kSummary = "chunks that shrink with what is left";
  static constexpr bool kOrdered = true;
  static constexpr bool kShared = true;

  void start(const Plan&) noexcept { next_.store(0, std::memory_order_relaxed); }

  // a: the trip count, b: the least chunk, c: 2n.
  void enter(const Plan& plan, Cursor& cursor) noexcept {
    cursor.a = plan.trip;
    cursor.b = plan.chunk_or_one();
    cursor.c = 2 * uint64_t{plan.members};
  }

  Range next(Cursor& cursor) noexcept {
    uint64_t begin = next_.load(std::memory_order_relaxed);
    for (;;) {
      const uint64_t left = cursor.a - begin;
      if (left == 0) return {};
      const uint64_t part = left / cursor.c + (left % cursor.c != 0);
      const uint64_t end = begin + std::min(std::max(part, cursor.b), left);
      if (next_.compare_exchange_weak(begin, end, std::memory_order_relaxed)) return {begin, end};
    }
  }

 private:
  plat::atomic<uint64_t> next_{0};
};
static_assert(LoopScheduler<Guided>);

}  // namespace vicino::loop
