// dynamic_shared.hpp: OpenMP's schedule(monotonic: dynamic, c): chunks in order from one counter.
//
// Why    This is the only dynamic schedule that `ordered` and `monotonic` allow, and the simplest.
//        The counter's line moves from core to core at each claim: dynamic.hpp serves loops that
//        need no order. While chunks are short, a member claims several at once (batch.hpp), except
//        where members wait for each other within the loop: in ordered loops, and in sections.
//        Members that claim at the same time queue, each for as long as the line needs to move. From
//        kMany members on that may be longer than a batch is to run; then batches grow.
// Cost   one fetch_add per claim.
//
// The counter also counts the one failed claim of each member at the end; it would take 2^64 claims
// to wrap.
// Memory order: relaxed. A claim carries no data; the body's results are published by the barrier.
#pragma once

#include "loop/batch.hpp"
#include "loop/plan.hpp"

namespace vicino::loop {

class DynamicShared : public NothingToSet {
 public:
  static constexpr std::string_view kName = "dynamic_shared";
  static constexpr std::string_view kSummary = "chunks in order from one shared counter";
  static constexpr bool kOrdered = true;
  static constexpr bool kShared = true;

  void start(const Plan& plan) noexcept {
    taken_.store(0, std::memory_order_relaxed);
    many_ = plan.members >= kMany;
  }

  // a: the next chunk of the batch, b: the number of chunks, c: when the batch was claimed, 0 before
  // the first; d: the chunk's size, e: the trip count, f: the end of the batch, g: how long its claim
  // took; extra: how many to claim, kSingly: always one.
  void enter(const Plan& plan, Cursor& cursor) noexcept {
    cursor.d = plan.chunk_or_one();
    cursor.e = plan.trip;
    cursor.b = plan.trip / cursor.d + (plan.trip % cursor.d != 0);
    cursor.a = cursor.c = cursor.f = cursor.g = 0;
    cursor.extra = plan.singly ? kSingly : 1;
  }

  Range next(Cursor& cursor) noexcept {
    if (cursor.a == cursor.f) claim(cursor);
    if (cursor.a >= cursor.b) return {};
    const uint64_t begin = cursor.a++ * cursor.d;
    return {begin, begin + std::min(cursor.d, cursor.e - begin)};
  }

 private:
  static constexpr uint32_t kSingly = 0, kMany = 9;

  void claim(Cursor& cursor) noexcept {
    if (cursor.extra == kSingly) return take(cursor, 1);
    const uint64_t time = plat::now();
    if (cursor.c != 0) cursor.extra = next_batch(cursor.extra, time - cursor.c, cursor.g);
    take(cursor, cursor.extra);
    cursor.c = many_ ? plat::now() : time;
    cursor.g = cursor.c - time;
  }

  void take(Cursor& cursor, uint32_t count) noexcept {
    cursor.a = taken_.fetch_add(count, std::memory_order_relaxed);
    cursor.f = cursor.a + count;
  }

  plat::atomic<uint64_t> taken_{0};
  bool many_ = false;
};
static_assert(LoopScheduler<DynamicShared>);

}  // namespace vicino::loop
