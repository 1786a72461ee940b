// wait.hpp: waiting for something outside of the process, with the cores lent meanwhile.
//
// Why    To lend and to return has a price: the borrower takes the core with its next region, its thread
//        starts there, is moved away again, and shares its rank's core until the region ends. Where ranks
//        are even, each wait is shorter than that. Where they are not, each microsecond before the lending
//        is lost.
// Rule   Waits at one place are expected to be like the last ones there. Where a long one is expected, the
//        thread polls for kSoonNs and lends; elsewhere it polls for kLongNs first, which is about the price,
//        and so at most doubles it.
// Sleep  A thread that polled on a core that it lends would take half of it. It sleeps between two looks,
//        longer and longer: for 1/kPart of what it has waited so far, from kLeastNs to kMostNs. So it
//        notices the end late by at most that part of the wait, and by what the kernel adds.
// Wake   The kernel would let the borrower's thread finish its time slice first, which is a millisecond or
//        more. So the waiting thread asks for the shortest slice that there is while its cores are lent:
//        such a thread may interrupt others when it wakes (Linux 6.12 and later; without effect before).
#pragma once

#include <cstdint>

namespace vicino::lend {

class Lending;

// What a place in the program expects.
class Expected {
 public:
  static constexpr uint64_t kSoonNs = 20'000, kLongNs = 400'000;

  uint64_t poll_ns() const noexcept { return mean_ns_ >= kLongNs ? kSoonNs : kLongNs; }
  // One long wait among short ones is no reason to expect the next one to be long.
  void add(uint64_t ns) noexcept {
    constexpr uint64_t kCap = 4 * kLongNs;
    mean_ns_ = (3 * mean_ns_ + (ns < kCap ? ns : kCap)) / 4;
  }

 private:
  uint64_t mean_ns_ = 0;
};

// How long to sleep after so long a wait.
constexpr uint64_t pause_after(uint64_t waited_ns) noexcept {
  constexpr uint64_t kLeastNs = 10'000, kMostNs = 1'000'000, kPart = 32;
  const uint64_t pause = waited_ns / kPart;
  return pause < kLeastNs ? kLeastNs : pause > kMostNs ? kMostNs : pause;
}

// Returns when done(argument) is not 0. `where`: any pointer that is the same for waits of one place.
void wait_until(Lending& lending, int (*done)(void*), void* argument, const void* where);

}  // namespace vicino::lend
