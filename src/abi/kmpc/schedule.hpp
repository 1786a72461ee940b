// schedule.hpp: LLVM's numbers for schedules.
#pragma once

#include <cstdint>

namespace vicino::kmpc {

enum Schedule : int32_t {
  kStaticChunked = 33,
  kStatic = 34,
  kDynamic = 35,
  kGuided = 36,
  kRuntime = 37,
  kAuto = 38,
  kTrapezoidal = 39,
  kStaticGreedy = 40,
  kStaticBalanced = 41,
  kGuidedIterative = 42,
  kGuidedAnalytical = 43,
  kStaticSteal = 44,
  kStaticBalancedChunked = 45,
  kGuidedSimd = 46,
  kRuntimeSimd = 47,
  kOrderedFirst = 64,  // + the distance of the above from 32: the same with ordered regions
  kOrderedLast = 71,
  kDistributeStaticChunked = 91,
  kDistributeStatic = 92,
  kNoMerge = 128,  // + any of the above
  kMonotonic = 1 << 29,
  kNonmonotonic = 1 << 30,
};

// The schedule without modifiers; for an ordered schedule, its unordered twin.
constexpr int32_t base_of(int32_t schedule) noexcept {
  int32_t s = schedule & ~(kMonotonic | kNonmonotonic);
  if (s >= kNoMerge) s -= kNoMerge;
  return s > kOrderedFirst && s <= kOrderedLast ? s - 32 : s;
}

// Whether the schedule shares iterations out among the teams of a league, not among threads.
constexpr bool is_distribute(int32_t schedule) noexcept {
  const int32_t base = base_of(schedule);
  return base == kDistributeStatic || base == kDistributeStaticChunked;
}

constexpr bool is_ordered(int32_t schedule) noexcept {
  int32_t s = schedule & ~(kMonotonic | kNonmonotonic);
  if (s >= kNoMerge) s -= kNoMerge;
  return s > kOrderedFirst && s <= kOrderedLast;
}

}  // namespace vicino::kmpc
