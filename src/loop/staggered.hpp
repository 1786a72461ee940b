// staggered.hpp: each thread's block begins with a static part; the rest is its own queue.
//
// Why    In mixed.hpp the dynamic part lies behind all static parts, far from any thread's own
//        data. Here a thread's dynamic part is next to its static part, and the thread takes it
//        itself unless it is late.
// Source Kale and others (static_fraction.hpp): constrained staggered scheduling. The chunks of a
//        queue are an eighth of what the queue holds at first, at least c; a thief takes half of
//        what the nearest queue has left.
// Cost   one CAS per chunk, on the thread's own word.
// Not    monotonic.
// See    docs/design/mixed.md
//
// Invariants: those of part.hpp, and I4 of shares.hpp. A static part is in no lane.
#pragma once

#include "loop/near_lanes.hpp"
#include "loop/static_fraction.hpp"

namespace vicino::loop {

class Staggered {
 public:
  static constexpr std::string_view kName = "staggered";
  static constexpr std::string_view kSummary =
      "each thread's block: a static part, then a queue of its own; near queues stolen from";
  static constexpr bool kOrdered = false;
  static constexpr bool kShared = true;
  using Set = StaticFraction::Set;
  static constexpr std::array kParameters = {StaticFraction::parameter(StaticFraction::kModel)};
  static constexpr std::size_t history_words(uint32_t) noexcept { return StaticFraction::kWords; }

  void start(const Plan& plan) noexcept {
    lanes_.start(plan);
    static_.start(plan);
    for (uint32_t m = 0; m < plan.members; ++m) {
      const Part block = lanes_.block(m);
      fill(lanes_.of(m), {end_of_static(block), block.end});
    }
  }

  struct Local {
    Range own;  // the member's static part
    StaticPart::State state;
    bool done;       // nothing is left
    uint64_t chunk;  // in units
  };

  Local enter(const Plan& plan, uint32_t member) noexcept {
    const Part block = lanes_.block(member);
    const Range own = lanes_.units().range(block.begin, end_of_static(block));
    const uint32_t eighth = (block.end - end_of_static(block)) / 8;
    return {own, StaticPart::before(own), false,
            std::max(lanes_.units().units_in(plan.chunk_or_one()), uint64_t{eighth})};
  }

  Range next(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    if (static_.is_next(my.state)) return my.own;
    if (my.done) return {};
    const Range range = lanes_.take_or_steal(cursor, my.chunk);
    if (!range.empty()) return range;
    my.done = true;
    static_.finished();
    return lanes_.take_last();
  }

 private:
  uint32_t end_of_static(Part block) const noexcept {
    return static_end(block, static_.fraction());
  }

  NearLanes lanes_;
  StaticPart static_;
};
static_assert(LoopScheduler<Staggered>);

}  // namespace vicino::loop
