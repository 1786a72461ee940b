// static_chunked.hpp: OpenMP's schedule(static, c): chunks dealt round robin.
#pragma once

#include "loop/plan.hpp"

namespace vicino::loop {

class StaticChunked : public NothingToSet {
 public:
  static constexpr std::string_view kName = "static_chunked";
  static constexpr std::string_view kSummary = "chunks of a fixed size dealt round robin";
  static constexpr bool kOrdered = true;
  static constexpr bool kShared = false;

  void start(const Plan&) noexcept {}

  // a: the next chunk's begin, b: the trip count, c: the chunk; extra: the members.
  void enter(const Plan& plan, Cursor& cursor) noexcept {
    cursor.b = plan.trip;
    cursor.c = plan.chunk_or_one();
    cursor.extra = plan.members;
    // A product that overflows lies beyond any trip count.
    if (__builtin_mul_overflow(cursor.c, uint64_t{cursor.member}, &cursor.a)) cursor.a = plan.trip;
  }

  Range next(Cursor& cursor) noexcept {
    if (cursor.a >= cursor.b) return {};
    const uint64_t begin = cursor.a;
    const Range chunk{begin, begin + std::min(cursor.c, cursor.b - begin)};
    uint64_t stride;
    if (__builtin_mul_overflow(cursor.c, uint64_t{cursor.extra}, &stride) ||
        __builtin_add_overflow(begin, stride, &cursor.a))
      cursor.a = cursor.b;
    return chunk;
  }
};
static_assert(LoopScheduler<StaticChunked>);

}  // namespace vicino::loop
