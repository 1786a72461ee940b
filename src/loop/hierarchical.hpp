// hierarchical.hpp: ILAN's distribution of a taskloop, for a loop.
//
// Why    A loop whose threads take different times must be balanced, but an iteration that leaves
//        the node of its data costs more than most imbalances. So threads steal from their own node
//        first, and a part of each node's iterations never leaves it. Where a node has several cache
//        groups, these are its nodes.
// Source ILAN (ALGORITHMS: 31 % of a node's tasks are strict, ten tasks a thread). Each thread has
//        its static block, in `chunks` chunks. Only threads of its node may steal the first
//        `strict` part of it; all threads may steal the rest, the nearest first.
// Cost   one CAS per chunk, on the thread's own word.
// Not    monotonic.
// See    docs/design/schedules.md
//
// Invariants, beside those of near_lanes.hpp
//  I5 a thief from another node takes nothing that lies below the limit it has read, and gets
//     nothing more when all that is left anywhere is kept for other nodes. A thief within the node
//     takes the limit along with the units. The limit is a hint beside the lane's word: a thief
//     that reads it just before the lane is filled anew may take a unit off its node. Which
//     iterations run does not depend on the limit.
#pragma once

#include "loop/near_lanes.hpp"

namespace vicino::loop {

class Hierarchical {
 public:
  static constexpr std::string_view kName = "hierarchical";
  static constexpr std::string_view kSummary =
      "static blocks in chunks, stolen within a node first; a strict part stays on its node";
  static constexpr bool kOrdered = false;
  static constexpr bool kShared = true;

  struct Set {
    double strict, chunks;
  };
  static constexpr std::array kParameters = {
      Parameter{"strict", "the part of a node's iterations that never leaves it", 0.31, 0, 1},
      Parameter{"chunks", "chunks in a thread's block, if the chunk is not given", 10, 1, 1 << 20,
                true}};
  static constexpr std::size_t history_words(uint32_t) noexcept { return 0; }

  void start(const Plan& plan) noexcept {
    const auto set = set_of<Set>(plan.values);
    chunks_ = static_cast<uint32_t>(set.chunks);
    lanes_.start(plan);
    for (uint32_t m = 0; m < plan.members; ++m) {
      const Part block = lanes_.block(m);
      fill(lanes_.of(m), block);
      lanes_.keep_near(m, block.begin + static_cast<uint32_t>(set.strict * block.size()));
    }
  }

  struct Local {
    uint64_t chunk;     // in units
    bool done = false;  // nothing is left
  };

  Local enter(const Plan& plan, uint32_t member) noexcept {
    return {plan.chunk > 0 ? lanes_.units().units_in(plan.chunk)
                           : std::max(lanes_.block(member).size() / chunks_, 1u)};
  }

  Range next(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    if (my.done) return {};
    const Range range = lanes_.take_or_steal(cursor, my.chunk);
    if (!range.empty()) return range;
    my.done = true;
    return lanes_.take_last();
  }

 private:
  NearLanes lanes_;
  uint32_t chunks_ = 1;  // in a block
};
static_assert(LoopScheduler<Hierarchical>);

}  // namespace vicino::loop
