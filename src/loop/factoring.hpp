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

  // a: the trip count, b: the least chunk, c: members; d: the number of a batch's first chunk, e:
  // where that chunk begins, f: the size of the batch's chunks.
  void enter(const Plan& plan, Cursor& cursor) noexcept {
    cursor.a = plan.trip;
    cursor.b = plan.chunk_or_one();
    cursor.c = plan.members;
    cursor.d = cursor.e = 0;
    cursor.f = size_at(cursor);
  }

  Range next(Cursor& cursor) noexcept {
    const uint64_t number = claimed_.fetch_add(1, std::memory_order_relaxed);
    while (cursor.f > 0 && number - cursor.d >= cursor.c) {
      cursor.e += std::min(saturated(cursor.f, cursor.c), cursor.a - cursor.e);
      cursor.d += cursor.c;
      cursor.f = size_at(cursor);
    }
    return chunk(cursor, number - cursor.d);
  }

 private:
  static uint64_t saturated(uint64_t a, uint64_t b) noexcept {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
  }

  static uint64_t size_at(const Cursor& cursor) noexcept {
    const uint64_t left = cursor.a - cursor.e, half = left / 2 + left % 2;
    return std::min(std::max(half / cursor.c + (half % cursor.c != 0), cursor.b), left);
  }

  static Range chunk(const Cursor& cursor, uint64_t i) noexcept {
    const uint64_t left = cursor.a - cursor.e;
    const uint64_t begin = std::min(saturated(i, cursor.f), left);
    return {cursor.e + begin, cursor.e + begin + std::min(cursor.f, left - begin)};
  }

  plat::atomic<uint64_t> claimed_{0};
};
static_assert(LoopScheduler<Factoring>);

}  // namespace vicino::loop
