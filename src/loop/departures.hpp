// departures.hpp: counts the members of a team that have left a loop.
//
// Why    One word that 64 CPUs of several nodes change one after the other takes 10 us, as long as a
//        short loop. So in a large team each group of neighbours has a word of its own, and the last
//        member of each group counts the group in a common word. A small team has only the common
//        word, which its owner keeps (ring.hpp: in the line that members have anyway).
// Cost   one fetch_add; for the last of a group, two.
//
// Invariants
//  D1 last   all members depart once; depart() is true for one of them, the last.
//  D2 again  after that the count is as it was in the beginning.
//
// Memory order
//  (1) each member's RMW of its group's word acquires and releases, and so does the RMW of the common
//      word by the last member of each group. RMWs do not break a release sequence. So the last
//      member of a group has seen what its group did, and the last member of all what all did.
// The stores of 0 are relaxed. A member that sets its group's word to 0 does so before its RMW of the
// common word, which releases the 0 to the last member of all; and the next members depart only
// after they have synchronised with that one's return.
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
  using Word = plat::atomic<uint32_t>;

  // Whether the member is the last of them all. `all`: the common word, 0 in the beginning.
  bool depart(Word& all, uint32_t member, uint32_t members) noexcept {
    if (members <= Flat) return is_last(all, members);
    const uint32_t group = group_of(member, members);
    return is_last(groups_[group].left, first_of(group + 1, members) - first_of(group, members)) &&
           is_last(all, Groups);
  }
  // Only while no member departs.
  void reset(Word& all) noexcept {
    all.store(0, std::memory_order_relaxed);
    for (Group& group : groups_) group.left.store(0, std::memory_order_relaxed);
  }
  // As reset(), where no other member than this one has departed.
  void reset_after(Word& all, uint32_t member, uint32_t members) noexcept {
    all.store(0, std::memory_order_relaxed);
    if (members > Flat) groups_[group_of(member, members)].left.store(0, std::memory_order_relaxed);
  }

 private:
  static_assert(Flat >= Groups);  // no group is empty
  struct alignas(kLine) Group {
    Word left{0};
  };

  static uint32_t group_of(uint32_t member, uint32_t members) noexcept {
    return member * Groups / members;
  }
  static uint32_t first_of(uint32_t group, uint32_t members) noexcept {
    return (group * members + Groups - 1) / Groups;
  }
  static bool is_last(Word& word, uint32_t of) noexcept {
    const uint32_t left = word.fetch_add(1, std::memory_order_acq_rel) + 1;  // (1)
    VICINO_CHECK(D1, left <= of);
    if (left == of) word.store(0, std::memory_order_relaxed);
    return left == of;
  }

  Group groups_[Groups];
};

}  // namespace vicino::loop
