// static_block.hpp: OpenMP's schedule(static): one contiguous block per member.
//
// The first `trip mod n` blocks have one iteration more, so sizes differ by one at most, and a
// block's place depends only on the trip count and the team: two such loops with equal trip counts
// give equal iterations to equal members, as the standard promises.
#pragma once

#include "loop/plan.hpp"

namespace vicino::loop {

constexpr Range static_block(uint64_t trip, uint32_t members, uint32_t member) noexcept {
  // 32-bit division takes a third of the time of a 64-bit one, and most loops fit.
  const bool small = trip <= UINT32_MAX;
  const uint64_t size = small ? static_cast<uint32_t>(trip) / members : trip / members;
  const uint64_t longer = trip - size * members;
  const uint64_t begin = member * size + std::min<uint64_t>(member, longer);
  return {begin, begin + size + (member < longer ? 1 : 0)};
}

class StaticBlock : public NothingToSet {
 public:
  static constexpr std::string_view kName = "static";
  static constexpr std::string_view kSummary = "one contiguous block per thread";
  static constexpr bool kOrdered = true;
  static constexpr bool kShared = false;

  void start(const Plan&) noexcept {}

  using Local = Range;  // what is still to be given of the block

  Local enter(const Plan& plan, uint32_t member) noexcept {
    return static_block(plan.trip, plan.members, member);
  }

  Range next(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    const Range block = my;
    my.begin = my.end;
    return block;
  }
};
static_assert(LoopScheduler<StaticBlock>);

}  // namespace vicino::loop
