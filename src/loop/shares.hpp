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

  // a, b: chunks of the batch not yet handed out; c: when the batch was taken, 0 before the first;
  // extra: how many to take; kDone: nothing is left.
  void enter(const Plan&, Cursor& cursor) noexcept {
    cursor.a = cursor.b = cursor.c = 0;
    cursor.extra = kFirstBatch;
    cursor.d = units_.size;
  }

  Range next(Cursor& cursor) noexcept {
    if (cursor.a == cursor.b && !refill(cursor)) return finish(cursor);
    VICINO_CHECK(I5, cursor.b <= units_.count());
    const uint64_t begin = cursor.a++ * cursor.d;
    return {begin, begin + cursor.d};
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
  static constexpr uint32_t kDone = 0, kFirstBatch = 1;

  bool refill(Cursor& cursor) noexcept {
    if (cursor.extra == kDone) return false;
    const uint64_t time = plat::now();
    if (cursor.c != 0) cursor.extra = next_batch(cursor.extra, time - cursor.c);
    cursor.c = time;
    // Stolen units may be stolen again before this thread takes from them: then it looks once more.
    do {
      const Part mine = take(lanes_[cursor.member], [&](uint32_t) { return cursor.extra; });
      cursor.a = mine.begin;
      cursor.b = mine.end;
      if (!mine.empty()) return true;
      cursor.extra = kFirstBatch;  // chunks elsewhere in the loop may be longer
    } while (steal(cursor));
    return false;
  }

  Range finish(Cursor& cursor) noexcept {
    if (cursor.extra == kDone) return {};
    cursor.extra = kDone;
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
