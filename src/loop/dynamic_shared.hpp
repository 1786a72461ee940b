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

  void start(const Plan& plan) noexcept {
    trip_ = plan.trip;
    chunk_ = plan.chunk_or_one();
    chunks_ = plan.trip / chunk_ + (plan.trip % chunk_ != 0);
    taken_.store(0, std::memory_order_relaxed);
  }

  void enter(const Plan&, Cursor&) noexcept {}

  Range next(Cursor&) noexcept {
    const uint64_t mine = taken_.fetch_add(1, std::memory_order_relaxed);
    if (mine >= chunks_) return {};
    const uint64_t begin = mine * chunk_;
    return {begin, begin + std::min(chunk_, trip_ - begin)};
  }

 private:
  uint64_t trip_ = 0, chunk_ = 1, chunks_ = 0;
  plat::atomic<uint64_t> taken_{0};
};
static_assert(LoopScheduler<DynamicShared>);

}  // namespace vicino::loop
