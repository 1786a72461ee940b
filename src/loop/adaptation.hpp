// adaptation.hpp: how iCh and NiCh choose a chunk's size: by a lane's progress against the mean.
//
// Source Booth and Lane, iCh and NiCh (docs/design/ich.md). A lane counts in k the units taken from
//        it. A lane that is more than epsilon below the mean of all lanes is slow, and takes larger
//        chunks; a lane that is as far above it is fast, and takes smaller ones, so that more is
//        left for others. A chunk is what the lane has left, divided by its d.
// Cost   the mean reads a line of each other lane, and each read is a cache miss. The papers read all
//        lanes each time. Here a mean reads a lane for each kNsPerLook that the last chunk ran,
//        kMostLooks at most, and the next ones each time: so short chunks do not pay more for the
//        mean than they take themselves.
// Grain  A chunk is no shorter than what recently ran in `grain`, a microsecond unless set. Without
//        this limit, a thread that begins a little before the others is ahead of the mean from then
//        on, and halves its chunks down to single iterations in a loop of even work.
//        Iterations that ran fast say little about those elsewhere in the loop, and a chunk that is
//        taken cannot be stolen. So what a thread knows of its speed makes a chunk twice as long as
//        its last one at most, and is forgotten when the thread goes on with stolen iterations.
// Few    The papers begin with d at the number of threads. With few threads such a chunk is much of
//        the loop, and nobody can steal from it: the first quarter of a thread's half may be most
//        of the work. And a thread whose iterations are long is slow, and ends with all that it has
//        left in one chunk. So d is at least kFewParts, at the beginning and later; what that gains
//        is in docs/design/ich.md. The presets `paper` have the papers' d.
//
// k and d are hints: members that take from the lane write them, all members read them, and every
// access is relaxed. If two members of one lane adapt at once, one update of d may be lost, which
// is one step less.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "loop/plan.hpp"

namespace vicino::loop::adaptation {

inline constexpr uint32_t kMostLooks = 16;
inline constexpr uint64_t kNsPerLook = 512;
inline constexpr uint64_t kMostD = uint64_t{1} << 31;
inline constexpr uint32_t kFewParts = 8;

inline constexpr Parameter kEpsilon = {
    "epsilon", "how far from the mean a thread is slow or fast, as a part of the mean", 0.33, 0, 1};
inline constexpr Parameter kGrain = {
    "grain", "nanoseconds that a chunk should run at least", 1000, 0, 1e9, true};
inline constexpr Parameter kFirst = {
    "first",
    "a thread's first chunk is its range over this; 0: the number of threads, 8 at least, for each thread that shares the range",
    0,
    0,
    kMostD,
    true,
    {"threads"}};
inline constexpr double kFirstIsThreads = Parameter::word(0);  // of kFirst
inline constexpr Parameter kLeastD = {
    "d_min", "a chunk is at most what its range has left over this; 0: 8 for each thread that shares the range", 0, 0, kMostD, true};

inline uint32_t chunk_of(uint32_t left, uint64_t d, uint64_t least) noexcept {
  return static_cast<uint32_t>(
      std::clamp<uint64_t>(left / d, std::min<uint64_t>(least, left), left));
}

// A member's clock, and how many units make a chunk of `grain` at the speed of its last chunk.
class Grain {
 public:
  // Units that ran in a grain; 0: not known yet, or a unit runs longer.
  uint64_t units() const noexcept { return units_; }

  // A chunk of `units` was taken.
  void take(uint32_t units, uint64_t grain) noexcept {
    if (grain == 0) return;
    since_ = plat::now();
    last_ = units;
  }
  // That chunk has run. How many lanes the next mean may look at.
  uint32_t ran(uint64_t grain) noexcept {
    if (last_ == 0) return kMostLooks;
    const uint64_t ns = std::max<uint64_t>(plat::now() - since_, 1);
    units_ = ns >= grain * last_ ? 0 : std::min(last_ * grain / ns, 2 * last_);
    last_ = 0;
    return static_cast<uint32_t>(std::clamp<uint64_t>(ns / kNsPerLook, 1, kMostLooks));
  }
  void forget() noexcept { last_ = units_ = 0; }

 private:
  uint64_t since_ = 0;  // when the last chunk was taken
  uint64_t last_ = 0;   // how many units it had; 0: it was not timed
  uint64_t units_ = 0;
};

// `set`: kLeastD; `sharing`: threads that take from the lane.
inline uint64_t least_d(double set, uint32_t sharing) noexcept {
  return set > 0 ? static_cast<uint64_t>(set) : uint64_t{kFewParts} * sharing;
}

// `first`: kFirst; `sharing` as above.
inline uint64_t first_d(double first, uint32_t members, uint32_t sharing) noexcept {
  if (first == kFirstIsThreads) return members;
  if (first > 0) return static_cast<uint64_t>(first);
  return uint64_t{std::max(members, kFewParts)} * sharing;
}

inline void start(Lane& lane, double first, uint32_t members, uint32_t sharing) noexcept {
  lane.k.store(0, std::memory_order_relaxed);
  lane.d.store(std::min(first_d(first, members, sharing), kMostD), std::memory_order_relaxed);
}

inline double load_k(const Lane& lane) noexcept {
  return static_cast<double>(lane.k.load(std::memory_order_relaxed));
}

// A low k makes the chunk grow, a high one makes it shrink; returns true if d changed.
// `k`: the lane's, divided by the threads that take from it; `mean`: the mean of that over all
// lanes; `least`: the least d, though d may have begun below it.
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

// The thief's lane gets the mean of both lanes' k and d, as they were before the steal.
inline void inherit(Lane& thief, uint64_t victims_k, uint64_t victims_d) noexcept {
  const auto mean = [](plat::atomic<uint64_t>& mine, uint64_t theirs) {
    mine.store((mine.load(std::memory_order_relaxed) + theirs) / 2, std::memory_order_relaxed);
  };
  mean(thief.k, victims_k);
  mean(thief.d, std::max<uint64_t>(victims_d, 1));
}

}  // namespace vicino::loop::adaptation
