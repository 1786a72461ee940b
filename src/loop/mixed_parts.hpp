// mixed_parts.hpp: a static part for each thread first, then the rest of the loop in another way.
//
// mixed.hpp and mixed_variable.hpp differ in `Rest`, the way for the rest: a schedule of its own
// that gets the iterations behind the static parts as if they were a loop.
//
// Invariants
//  I1 the static parts tile [0, rest_begin_), `Rest` the remainder.
//  I2 a member gets its static part first, so its ranges have increasing bounds if those of `Rest`
//     have. The last iteration is the last that its member gets: it is in the remainder, for which
//     `Rest` promises that, or, if there is no remainder, in a static part, after which nothing
//     comes.
#pragma once

#include "loop/plan.hpp"
#include "loop/static_block.hpp"
#include "loop/static_fraction.hpp"

namespace vicino::loop {

// kChunks: how many chunks of the rest there are per thread at most, if no chunk size is given; 0:
// `Rest` decides.
template <class Rest, uint32_t kChunks>
class MixedParts {
 public:
  using Set = StaticFraction::Set;
  static constexpr std::array kParameters = {StaticFraction::parameter(StaticFraction::kModel)};
  static constexpr std::size_t history_words(uint32_t) noexcept { return StaticFraction::kWords; }
  static constexpr bool kOrdered = Rest::kOrdered;
  static constexpr bool kShared = true;

  void start(const Plan& plan) noexcept {
    members_ = plan.members;
    trip_ = plan.trip;
    singly_ = plan.singly;
    static_.start(plan);
    rest_begin_ = part_of(plan.trip, static_.fraction());
    chunk_ = plan.chunk;
    if (chunk_ == 0 && kChunks > 0)
      chunk_ = std::max((plan.trip - rest_begin_) / kChunks, plan.trip / kMostParts) / plan.members;
    rest_.start(rest());
  }

  struct Local {
    typename Rest::Local rest;  // first: there `rest_` looks for it
    Range own;                  // the member's static part
    StaticPart::State state;
  };

  Local enter(const Plan& plan, uint32_t member) noexcept {
    const Range own = static_block(rest_begin_, plan.members, member);
    return {rest_.enter(rest(), member), own, StaticPart::before(own)};
  }

  // The next() of `Rest` is inlined: one call for each chunk is enough.
  [[gnu::flatten]]
  Range next(Cursor& cursor) noexcept {
    Local& my = cursor.as<Local>();
    if (static_.is_next(my.state)) return my.own;
    const Range range = rest_.next(cursor);
    if (range.empty()) {
      static_.finished();
      return {};
    }
    return {range.begin + rest_begin_, range.end + rest_begin_};
  }

 private:
  // Where little is left, a chunk is still at least the kMostParts-th part of a thread's share of the
  // loop.
  static constexpr uint32_t kMostParts = 64;

  // Rounded to the nearest; in parts of 2^32, since a double cannot hold every trip count.
  static uint64_t part_of(uint64_t trip, double f) noexcept {
    const auto parts = static_cast<unsigned __int128>(f * 0x1p32 + 0.5);
    return static_cast<uint64_t>(trip * parts >> 32);
  }

  Plan rest() const noexcept {
    Plan plan;
    plan.trip = trip_ - rest_begin_;
    plan.chunk = chunk_;
    plan.members = members_;
    plan.singly = singly_;
    return plan;
  }

  Rest rest_;
  uint32_t members_ = 1;
  bool singly_ = false;
  uint64_t trip_ = 0, chunk_ = 0, rest_begin_ = 0;
  StaticPart static_;
};

}  // namespace vicino::loop
