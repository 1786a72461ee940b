// shares.hpp: chunks of one size, an equal share of them for each member, halves stolen.
//
// Why    One shared counter costs a line transfer per chunk, however short the chunk. Here each
//        member has its share in a word of its own and takes from its front; a member whose share
//        is empty takes the back half of what another has left. dynamic.hpp and steal.hpp differ in
//        which members it asks first.
// Cost   an uncontended CAS on the member's own word; while chunks are short, a member takes
//        several at once (batch.hpp), so that most calls of next() touch nothing shared.
// Not    monotonic: a stolen range may lie below what the thief ran before.
//
// Invariants, beside those of part.hpp
//  I4 next() is empty only when every lane was seen empty. No other member sees a part that is on
//     its way from one lane to another; the thief runs it.
//  I5 the units in lanes and batches lie below the last unit.
#pragma once

#include "loop/batch.hpp"
#include "loop/nearest.hpp"
#include "loop/part.hpp"
#include "loop/plan.hpp"
#include "loop/units.hpp"

namespace vicino::loop {

// kNearFirst: a thief asks the nearest members first; otherwise it begins with any.
template <bool kNearFirst>
class Shares : public NothingToSet {
 public:
  static constexpr bool kAsksNear = kNearFirst;

  struct Local {
    uint64_t size;                // iterations in a chunk
    uint64_t chunk = 0, end = 0;  // the batch's next chunk, and its end
    Batch batch{};
    bool done = false;  // nothing is left
  };

  Local enter(const Plan&, uint32_t) noexcept { return {units_.size}; }

  Range next(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    if (my.chunk == my.end && !refill(cursor)) return finish(my);
    VICINO_CHECK(I5, my.end <= units_.count());
    const uint64_t begin = my.chunk++ * my.size;
    return {begin, begin + my.size};
  }

 protected:
  void start(const Plan& plan, uint64_t chunk) noexcept {
    units_ = {plan.trip, chunk};
    lanes_ = plan.lanes;
    shape_ = plan.shape;
    last_.start(plan.trip > 0);
    for (uint32_t m = 0; m < plan.members; ++m)
      fill(lanes_[m], share_of(units_.count(), plan.members, m));
  }

 private:
  bool refill(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    if (my.done) return false;
    my.batch.renew(plat::now());
    // Stolen units may be stolen again before this thread takes from them: then it looks once more.
    do {
      const Part mine = take(lanes_[cursor.member], [&](uint32_t) { return my.batch.size; });
      my.chunk = mine.begin;
      my.end = mine.end;
      if (!mine.empty()) return true;
      my.batch.size = 1;  // chunks elsewhere in the loop may be longer
    } while (steal(cursor));
    return false;
  }

  Range finish(Local& my) noexcept {
    if (my.done) return {};
    my.done = true;
    return last_.take() ? units_.last() : Range{};
  }

  // Fills this member's lane with half of another's; false when all are empty. Thieves begin with
  // different members, so that they do not queue at one.
  bool steal(Cursor& cursor) noexcept {
    return ask_nearest(kNearFirst ? shape_ : nullptr, static_cast<uint32_t>(lanes_.size()),
                       cursor.member, [&](uint32_t victim, topo::Distance) {
                         return victim != cursor.member && steal_from(cursor, victim);
                       });
  }

  bool steal_from(Cursor& cursor, uint32_t victim) noexcept {
    const Part part = steal_half(lanes_[victim]);
    if (part.empty()) return false;
    count_steal(cursor.tally, shape_, cursor.member, victim);
    fill(lanes_[cursor.member], part);
    return true;
  }

  Units units_;
  std::span<Lane> lanes_;
  const Shape* shape_ = nullptr;
  LastUnit last_;
};

}  // namespace vicino::loop
