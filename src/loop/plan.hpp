// plan.hpp: what a loop schedule is told about a loop, and what a schedule must provide.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <new>
#include <span>
#include <string_view>
#include <type_traits>

#include "base/line.hpp"
#include "loop/cursor.hpp"
#include "loop/history.hpp"
#include "loop/parameters.hpp"
#include "loop/shape.hpp"
#include "plat/plat.hpp"

namespace vicino::loop {

// One line for each member of a team, in which a schedule may keep what other members must not
// disturb. Each schedule decides what the words mean. They are its own from one start() to the
// next; start() finds there what another loop has left.
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
  bool singly = false;    // claim no chunk ahead: a chunk may wait for a later one
  Values values{};        // of the schedule's parameters, as it declares them
  // The static fraction that the program gives for this execution. It overrides the schedule's own
  // choice; the schedule learns from the execution all the same.
  static constexpr double kNone = -1;
  double fraction = kNone;
  const Shape* shape = nullptr;  // of `members`; null: all are equally near
  History history{};  // for start() only: as many words as the schedule asks for, or none

  double fraction_or(double own) const noexcept { return fraction < 0 ? own : fraction; }
  uint64_t chunk_or_one() const noexcept { return std::max<uint64_t>(chunk, 1); }
};

inline void count_steal(Tally& tally, const Shape* shape, uint32_t thief,
                        uint32_t victim) noexcept {
  tally.count_steal(shape != nullptr ? shape->distance(thief, victim) : topo::Distance::kUnbound);
}

// For a schedule that has no parameters and keeps no history.
struct NothingToSet {
  struct Set {};
  static constexpr std::span<const Parameter> kParameters{};
  static constexpr std::size_t history_words(uint32_t) noexcept { return 0; }
};

// None for a schedule that does not declare kPresets.
template <class S>
constexpr std::span<const Preset> presets_of() noexcept {
  if constexpr (requires { S::kPresets; }) return S::kPresets;
  return {};
}

// A schedule. The team shares its object, which lies in a slot of the ring (ring.hpp), in
// kSharedSize bytes, beside the slot's own words. start() runs once, before any other member sees
// the object. enter() runs once per member, and returns what the member keeps between two chunks:
// a Local, which lies in the member's cursor. Where all members write a counter in the object, as
// in dynamic_shared.hpp, the loop's constants belong into Local, and next() takes one transfer of
// the line.
//  next() gives each iteration of [0, trip) to exactly one member, whole chunks at a time. When
//  there is no more, it gives each member an empty range, and is not called again after that. The
//  member that gets the last iteration gets nothing after it: for `lastprivate` and `linear`,
//  compiled code copies out what a member ran last. next() never allocates.
//  kOrdered: a member's own ranges have increasing bounds, as ordered and monotonic loops need.
//  kShared: false if the schedule uses neither start() nor the lanes, so that it needs no slot.
//  kPresets: names for sets of parameters; a schedule without presets does not declare it.
//  Set: names for the values of kParameters (parameters.hpp).
inline constexpr std::size_t kSharedSize = kLinePair - 16;

template <class Local>
concept FitsCursor = std::is_trivially_copyable_v<Local> && sizeof(Local) <= Cursor::kLocalSize;

template <class S>
concept LoopScheduler = requires(S shared, const Plan& plan, uint32_t member, Cursor& cursor) {
  { S::kName } -> std::convertible_to<std::string_view>;
  { S::kSummary } -> std::convertible_to<std::string_view>;
  { S::kOrdered } -> std::convertible_to<bool>;
  { S::kShared } -> std::convertible_to<bool>;
  { std::span<const Parameter>(S::kParameters) };
  { S::history_words(uint32_t{}) } -> std::convertible_to<std::size_t>;
  { shared.start(plan) } -> std::same_as<void>;
  { shared.enter(plan, member) } -> std::same_as<typename S::Local>;
  { shared.next(cursor) } -> std::same_as<Range>;
  requires FitsCursor<typename S::Local>;
  requires kSizeOfSet<typename S::Set> == S::kParameters.size();
} && sizeof(S) <= kSharedSize;

// The member to which the cursor belongs enters the loop.
template <LoopScheduler S>
void enter(S& shared, const Plan& plan, Cursor& cursor) noexcept {
  new (cursor.local) typename S::Local(shared.enter(plan, cursor.member));
}

}  // namespace vicino::loop
