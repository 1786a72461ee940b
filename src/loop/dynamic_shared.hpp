// dynamic_shared.hpp: OpenMP's schedule(monotonic: dynamic, c): chunks in order from one counter.
//
// Why    The only dynamic schedule that `ordered` and `monotonic` allow, and the simplest. The
//        counter's line goes from core to core at each chunk: see dynamic.hpp for loops that need
//        not have that.
// Cost   one fetch_add per chunk.
//
// The counter counts claims, also the one vain claim per member at the end; to wrap it would take
// 2^64 of them.
// Memory order: relaxed. A claim carries no data; the body's results are published by the barrier.
#pragma once

#include "loop/plan.hpp"

namespace vicino::loop {

class DynamicShared {
 public:
  static constexpr std::string_view kName = "dynamic_shared";
  static constexpr std::string_view kSummary = "chunks in order from one shared counter";
  static constexpr bool kOrdered = true;
  static constexpr bool kShared = true;

  void start(const Plan&) noexcept { taken_.store(0, std::memory_order_relaxed); }

  // a: the trip count, b: the chunk, c: how many there are.
  void enter(const Plan& plan, Cursor& cursor) noexcept {
    cursor.a = plan.trip;
    cursor.b = plan.chunk_or_one();
    cursor.c = plan.trip / cursor.b + (plan.trip % cursor.b != 0);
  }

  Range next(Cursor& cursor) noexcept {
    const uint64_t mine = taken_.fetch_add(1, std::memory_order_relaxed);
    if (mine >= cursor.c) return {};
    const uint64_t begin = mine * cursor.b;
    return {begin, begin + std::min(cursor.b, cursor.a - begin)};
  }

 private:
  plat::atomic<uint64_t> taken_{0};
};
static_assert(LoopScheduler<DynamicShared>);

}  // namespace vicino::loop
