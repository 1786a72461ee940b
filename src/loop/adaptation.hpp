// adaptation.hpp: how iCh and NiCh find a chunk's size: by how far a lane has come beside the rest.
//
// Source Booth and Lane, iCh and NiCh (docs/design/ich.md). A lane counts in k the units taken from
//        it. One that is more than epsilon below the mean of all is slow, and takes larger chunks;
//        one that is above it is fast and takes smaller ones, so that more is left for others.
//        A chunk is what the lane has left, divided by its d.
// Cost   the mean is a look at each other lane's line. The papers look at all of them each time;
//        here at kMostLooks, another window of them each time: each look is a cache miss, and the
//        chunks at a loop's end are short.
// Grain  A chunk is no shorter than what lately ran in `grain`, a microsecond unless set: a thread
//        that begins a little before the others is ahead of the mean from then on, and would else
//        halve its chunks down to single iterations in a loop of even work.
// Few    The papers begin with d at the number of threads. On few of them that is a chunk of much
//        of the loop, which nobody can steal of: the first quarter of a thread's half may be most
//        of the work. And a thread whose iterations are long is slow, and ends with all that it has
//        left in one chunk. So d is kFewParts at least, at the beginning and later.
//
// k and d are hints: written by whoever takes of the lane, read by everybody, relaxed. A lost
// update of d, where two members of one lane adapt at once, is one step less.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "loop/plan.hpp"

namespace vicino::loop::adaptation {

inline constexpr uint32_t kMostLooks = 16;
inline constexpr uint64_t kMostD = uint64_t{1} << 31;
inline constexpr uint32_t kFewParts = 8;

inline constexpr Parameter kEpsilon = {
    "epsilon", "how far from the mean is slow or fast, as a part of it", 0.33, 0, 1};
inline constexpr Parameter kGrain = {
    "grain", "nanoseconds that a chunk should run at least", 1000, 0, 1e9, true};
inline constexpr Parameter kFirst = {
    "first",
    "parts of its range that a thread's first chunk is one of; 0: the number of threads, and 8 at "
    "least",
    0,
    0,
    kMostD,
    true};
inline constexpr Parameter kLeastD = {
    "d_min", "parts of what its range has left that a thread's chunk is at most one of; 0: 8",
    0,       0,
    kMostD,  true};

inline uint32_t chunk_of(uint32_t left, uint64_t d, uint64_t least) noexcept {
  return static_cast<uint32_t>(
      std::clamp<uint64_t>(left / d, std::min<uint64_t>(least, left), left));
}

// Of a member: how many units its last chunk's time makes a chunk of `grain`, and the clock.
class Grain {
 public:
  static void enter(Cursor& cursor) noexcept { cursor.d = cursor.e = cursor.f = 0; }
  // f: units that ran in a grain, 0: not known yet.
  static uint64_t least(const Cursor& cursor, uint64_t set) noexcept {
    return std::max(set, cursor.f);
  }
  // d: when the last chunk was taken, e: how many units it had.
  static void take(Cursor& cursor, uint32_t units, uint64_t grain) noexcept {
    if (grain == 0) return;
    cursor.d = plat::now();
    cursor.e = units;
  }
  static void ran(Cursor& cursor, uint64_t grain) noexcept {
    if (cursor.e == 0) return;
    const uint64_t ns = std::max<uint64_t>(plat::now() - cursor.d, 1);
    cursor.f = ns >= grain * cursor.e ? 0 : cursor.e * grain / ns;
    cursor.e = 0;
  }
};

// `set`: kLeastD; `sharing`: threads that take of the lane.
inline uint64_t least_d(double set, uint32_t sharing) noexcept {
  return set > 0 ? static_cast<uint64_t>(set) : uint64_t{kFewParts} * sharing;
}

// `first`: kFirst; `sharing` as above.
inline void start(Lane& lane, double first, uint32_t members, uint32_t sharing) noexcept {
  const uint64_t d =
      first > 0 ? static_cast<uint64_t>(first) : uint64_t{std::max(members, kFewParts)} * sharing;
  lane.k.store(0, std::memory_order_relaxed);
  lane.d.store(std::min(d, kMostD), std::memory_order_relaxed);
}

inline double load_k(const Lane& lane) noexcept {
  return static_cast<double>(lane.k.load(std::memory_order_relaxed));
}

// low: the chunk grows; high: it shrinks. True if it did either.
// `k`: the lane's, for each thread that takes of it; `mean`: the same of all; `least`: of d, which
// may have begun below it.
inline bool adapt(Lane& lane, double k, double mean, double epsilon, uint64_t least) noexcept {
  const uint64_t d = lane.d.load(std::memory_order_relaxed);
  const double delta = epsilon * mean;
  uint64_t adapted = d;
  if (k < mean - delta && d > least) adapted = std::max(d / 2, least);
  if (k > mean + delta) adapted = std::min(d * 2, kMostD);
  if (adapted == d) return false;
  lane.d.store(adapted, std::memory_order_relaxed);
  return true;
}

// The thief's lane becomes the mean of both as they were before the steal.
inline void inherit(Lane& thief, uint64_t victims_k, uint64_t victims_d) noexcept {
  const auto mean = [](plat::atomic<uint64_t>& mine, uint64_t theirs) {
    mine.store((mine.load(std::memory_order_relaxed) + theirs) / 2, std::memory_order_relaxed);
  };
  mean(thief.k, victims_k);
  mean(thief.d, std::max<uint64_t>(victims_d, 1));
}

}  // namespace vicino::loop::adaptation
