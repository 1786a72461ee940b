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

  struct Local {
    uint64_t begin;  // of the next chunk
    uint64_t trip, chunk;
    uint32_t members;
  };

  Local enter(const Plan& plan, uint32_t member) noexcept {
    Local my{0, plan.trip, plan.chunk_or_one(), plan.members};
    // A product that overflows lies beyond any trip count.
    if (__builtin_mul_overflow(my.chunk, uint64_t{member}, &my.begin)) my.begin = plan.trip;
    return my;
  }

  Range next(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    if (my.begin >= my.trip) return {};
    const uint64_t begin = my.begin;
    const Range chunk{begin, begin + std::min(my.chunk, my.trip - begin)};
    uint64_t stride;
    if (__builtin_mul_overflow(my.chunk, uint64_t{my.members}, &stride) ||
        __builtin_add_overflow(begin, stride, &my.begin))
      my.begin = my.trip;
    return chunk;
  }
};
static_assert(LoopScheduler<StaticChunked>);

}  // namespace vicino::loop
