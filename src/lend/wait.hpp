// wait.hpp: waiting for something outside of the process, with the cores lent meanwhile.
//
// Why    To lend and to return has a price: the borrower takes the core with its next region, its thread
//        starts there, is moved away again, and shares its rank's core until the region ends. Where ranks
//        are even, each wait is shorter than that. Where they are not, each microsecond before the lending
//        is lost.
// Rule   Waits at one place are expected to be like the last ones there. Where a long one is expected, the
//        thread polls for kSoonNs and lends; elsewhere it polls for kLongNs first, which is about the price,
//        and so at most doubles it.
// Poll   As long as nobody has taken the cores that it lends, the thread polls on: it disturbs nobody, and
//        notices the end at once. So lending costs nothing where nobody can borrow.
// Sleep  A thread that polled on a core that another rank uses would take half of it. It sleeps between two
//        looks.
//        Each look takes c (kLookNs) of the borrower's time, which is w * c / p in a wait of w with pauses
//        of p, and the end is noticed p / 2 late on average. The sum is least for p = sqrt(2 * c * w). What
//        w will be is not known: it is taken to be what the thread has waited so far, or half of what is
//        expected, if that is more. So p grows, up to kMostPauseNs.
// Bell   A borrower that comes to a wait of its own wakes the ranks whose cores it has: what they wait for
//        may have come with that. They look for kSoonNs then, for a message may need several looks.
// Come   A core that falls asleep between two threads takes long to wake, most of all a virtual one. So the
//        waiting thread polls on until the borrower has called its thread up there, which it tells by the
//        same bell, for kArrivalNs at the most.
// Wake   The kernel would let the borrower's thread finish its time slice first, which is a millisecond or
//        more. So the waiting thread asks for the shortest slice that there is while its cores are lent:
//        such a thread may interrupt others when it wakes (Linux 6.12 and later; without effect before).
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace vicino::lend {

class Lending;

// What a place in the program expects.
class Expected {
 public:
  static constexpr uint64_t kSoonNs = 20'000, kLongNs = 400'000;

  uint64_t poll_ns() const noexcept { return mean_ns_ >= kLongNs ? kSoonNs : kLongNs; }
  // One long wait among short ones is no reason to expect the next one to be long.
  void add(uint64_t ns) noexcept {
    constexpr uint64_t kMost = 4;
    mean_ns_ = (3 * mean_ns_ + std::min(ns, kMost * std::max(mean_ns_, kLongNs))) / 4;
  }
  uint64_t ns() const noexcept { return mean_ns_; }

 private:
  uint64_t mean_ns_ = 0;
};

// What the rank that lends knows of those that borrow from it.
class Guests {
 public:
  static constexpr uint64_t kArrivalNs = 100'000;

  explicit Guests(uint32_t bell) noexcept : heard_(bell) {}

  // Whether the thread should leave the cores to them, and sleep.
  bool are_at_work(bool taken, uint32_t bell, uint64_t now) noexcept {
    const bool rung = std::exchange(heard_, bell) != bell;
    if (!taken) {
      were_taken_ = false;
    } else if (!std::exchange(were_taken_, true)) {
      are_coming_ = !rung;
      poll_until_ = are_coming_ ? now + kArrivalNs : 0;
    } else if (rung) {
      poll_until_ = std::exchange(are_coming_, false) ? 0 : now + Expected::kSoonNs;
    }
    return taken && now >= poll_until_;
  }

 private:
  uint32_t heard_;
  bool were_taken_ = false, are_coming_ = false;
  uint64_t poll_until_ = 0;
};

// The square root, rounded down. Not std::sqrt(): the library would need libm in every process.
constexpr uint64_t root(uint64_t number) noexcept {
  uint64_t r = 0;
  for (uint64_t bit = uint64_t{1} << 31; bit != 0; bit >>= 1)
    if ((r | bit) * (r | bit) <= number) r |= bit;
  return r;
}

constexpr uint64_t kMostPauseNs = 1'000'000;
// How long to sleep before the next look. `ns`: the wait so far, or half of the expected one.
constexpr uint64_t pause_of(uint64_t ns) noexcept {
  // With a shorter pause looks would take more than a quarter of the borrower's time.
  constexpr uint64_t kLookNs = 15'000, kLeastNs = 50'000;
  return std::clamp(root(2 * kLookNs * std::min(ns, uint64_t{1} << 40)), kLeastNs, kMostPauseNs);
}

// Returns when done(argument) is not 0. `where`: any pointer that is the same for waits of one place.
void wait_until(Lending& lending, int (*done)(void*), void* argument, const void* where);

}  // namespace vicino::lend
