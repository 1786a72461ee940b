// departures.hpp: counts the members of a team that have left a loop.
//
// Why    One word that 64 CPUs of several nodes change one after the other takes 10 us, as long as a
//        short loop. So in a large team each group of neighbours has a word of its own, and the last
//        member of each group counts for it.
// Cost   one fetch_add; for the last of a group, two.
//
// Invariants
//  D1 last   all members depart once; depart() is true for one of them, the last.
//  D2 again  after that the count is as it was in the beginning.
//
// Memory order
//  (1) each depart() is an acquire and a release of its group's word, and so is the group's of the
//      common one: all are RMWs, so the last member sees what all members did before they departed.
// The stores of 0 are relaxed: what lets the next members depart comes after the last one's return.
//
// test/model/departures_model_test.cpp has two groups of two members and of one.
#pragma once

#include <cstdint>

#include "base/line.hpp"
#include "base/say.hpp"
#include "plat/plat.hpp"

namespace vicino::loop {

// A team of more than `Flat` members has `Groups` groups.
template <uint32_t Groups, uint32_t Flat>
class Departures {
 public:
  // Whether the member is the last of them all.
  bool depart(uint32_t member, uint32_t members) noexcept {
    if (members <= Flat) return is_last(all_, members);
    const uint32_t group = member * Groups / members;
    return is_last(groups_[group].left, first_of(group + 1, members) - first_of(group, members)) &&
           is_last(all_, Groups);
  }
  // Only while no member departs.
  void reset() noexcept {
    all_.store(0, std::memory_order_relaxed);
    for (Group& group : groups_) group.left.store(0, std::memory_order_relaxed);
  }

 private:
  static_assert(Flat >= Groups);  // no group is empty
  struct alignas(kLine) Group {
    plat::atomic<uint32_t> left{0};
  };

  static uint32_t first_of(uint32_t group, uint32_t members) noexcept {
    return (group * members + Groups - 1) / Groups;
  }
  static bool is_last(plat::atomic<uint32_t>& word, uint32_t of) noexcept {
    const uint32_t left = word.fetch_add(1, std::memory_order_acq_rel) + 1;  // (1)
    VICINO_CHECK(D1, left <= of);
    if (left == of) word.store(0, std::memory_order_relaxed);
    return left == of;
  }

  plat::atomic<uint32_t> all_{0};
  Group groups_[Groups];
};

}  // namespace vicino::loop
