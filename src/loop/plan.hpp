// plan.hpp: what a loop schedule is told of a loop, and what it must provide.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>

#include "base/line.hpp"
#include "loop/history.hpp"
#include "loop/parameters.hpp"
#include "loop/range.hpp"
#include "loop/shape.hpp"
#include "plat/plat.hpp"

namespace vicino::loop {

// A line for each member of a team, in which a schedule may keep what others must not disturb. What
// the words mean is each schedule's own affair. Free for use from one start() to the next; never
// zeroed in between.
struct alignas(kLinePair) Lane {
  plat::atomic<uint64_t> word{0};
  plat::atomic<uint64_t> k{0}, d{0};  // as in the papers of iCh and NiCh
  plat::atomic<uint64_t> count{0};
  plat::atomic<bool> claimed{false};
};

// One execution of one loop by one team.
struct Plan {
  uint64_t trip = 0;
  uint64_t chunk = 0;  // as the user gave it; 0: none given
  uint32_t members = 1;
  std::span<Lane> lanes;  // one per member, this loop's alone
  bool singly = false;    // no chunk is claimed ahead: one may wait for what a later one does
  Values values{};        // of the schedule's parameters, as it declares them
  // The static fraction that the program gives for this execution: it goes before a schedule's own
  // choice, which learns from the execution all the same.
  static constexpr double kNone = -1;
  double fraction = kNone;
  const Shape* shape = nullptr;  // of `members`; null where all are equally near
  History history{};  // for start() only: as many words as the schedule asks for, or none

  double fraction_or(double own) const noexcept { return fraction < 0 ? own : fraction; }
  uint64_t chunk_or_one() const noexcept { return std::max<uint64_t>(chunk, 1); }
};

// What a schedule did, for statistics: ever growing.
struct Tally {
  uint64_t adapted = 0;                                        // chunk sizes
  std::array<uint64_t, topo::kDistanceNames.size()> stolen{};  // how often, by topo::Distance

  void count_steal(topo::Distance distance) noexcept { ++stolen[static_cast<size_t>(distance)]; }
  void count_steal(const Shape* shape, uint32_t thief, uint32_t victim) noexcept {
    count_steal(shape != nullptr ? shape->distance(thief, victim) : topo::Distance::kUnbound);
  }
};

// What one member keeps between two chunks. One type for all schedules: it lies in the member, and
// its size must not depend on the schedule. What the fields mean is each schedule's own affair.
struct Cursor {
  uint32_t member = 0;
  uint32_t extra = 0;
  uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0;
  Tally tally;
};

// Of a schedule that takes none, and of one that keeps nothing.
struct NothingToSet {
  static constexpr std::span<const Parameter> kParameters{};
  static constexpr std::size_t history_words(uint32_t) noexcept { return 0; }
};

// A schedule. Its object is shared by the team and lies in a slot of the ring (ring.hpp), in
// kSharedSize bytes, beside the slot's own words. A counter there is written by all; so enter()
// copies the loop's constants to the cursor, and next() takes one transfer of the line. start()
// runs once, before anybody else sees it; enter() once per member.
//  next() gives each iteration of [0, trip) to exactly one member, whole chunks at a time, and an
//  empty range to each member when there is no more; it is not called again after that. Who gets
//  the last iteration gets nothing after it: for `lastprivate` and `linear`, compiled code copies
//  out what a member ran last. next() never allocates. kOrdered: a member's own ranges have
//  increasing bounds, as ordered and monotonic loops need. kShared: false if start() and the lanes
//  are not used, so that no slot is needed.
inline constexpr std::size_t kSharedSize = kLinePair - 16;

template <class S>
concept LoopScheduler = requires(S shared, const S& constant, const Plan& plan, Cursor& cursor) {
  { S::kName } -> std::convertible_to<std::string_view>;
  { S::kSummary } -> std::convertible_to<std::string_view>;
  { S::kOrdered } -> std::convertible_to<bool>;
  { S::kShared } -> std::convertible_to<bool>;
  { std::span<const Parameter>(S::kParameters) };
  { S::history_words(uint32_t{}) } -> std::convertible_to<std::size_t>;
  { shared.start(plan) } -> std::same_as<void>;
  { shared.enter(plan, cursor) } -> std::same_as<void>;
  { shared.next(cursor) } -> std::same_as<Range>;
} && sizeof(S) <= kSharedSize;

}  // namespace vicino::loop
