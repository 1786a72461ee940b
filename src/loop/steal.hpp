// steal.hpp: equal private ranges; an idle thread steals half of what a random other has left.
//
// Source Blumofe and Leiserson's random stealing, with the ranges of LLVM's static_steal; the
//        baseline of the iCh paper. It differs from dynamic.hpp in the victim, and in that a chunk
//        is only the least that is taken: the chunk grows where a loop has more chunks than fit.
#pragma once

#include "loop/shares.hpp"

namespace vicino::loop {

class Steal : public Shares<false> {
 public:
  static constexpr std::string_view kName = "steal";
  static constexpr std::string_view kSummary = "private ranges, halves stolen at random";
  static constexpr bool kOrdered = false;
  static constexpr bool kShared = true;

  void start(const Plan& plan) noexcept {
    Shares::start(plan, std::max(plan.chunk_or_one(), Units::of(plan.trip).size));
  }
};
static_assert(LoopScheduler<Steal>);

}  // namespace vicino::loop
