// ring.hpp: the slots that hold what members share in the loops that a team has open at once.
//
// Why    With `nowait`, fast members may be several loops ahead of slow ones, and each of those
//        loops needs its own state. A ring of kSlots bounds that state: a member that is kSlots
//        loops ahead of the slowest waits.
// Cost   entering a loop that is open: one load. Opening it: a CAS and an exchange. Leaving: one
//        fetch_add (departures.hpp); the last one to leave frees the slot.
//
// Loop number s uses slot s mod kSlots: each member counts for itself, and all meet the same loops
// in the same order. The slot's event count is 0 when free, 2(s+1) while the first member sets it
// up, 2(s+1)+1 when it is open for all. Invariants
//  I1 a member at loop s finds its slot free, or with s, or with s - kSlots: the member has itself
//     been in s - kSlots, which therefore had been opened, and no member opens s + kSlots before
//     all have left s.
//  I2 of the members that find it free one wins the CAS; the others see 2(s+1) or later, and wait.
//  I3 the slot becomes free when all members of the team have left: no member uses it any more.
//  I4 in a cancelled region members skip loops, and slots may stay as they are: a member that waits
//     for a slot gives up. It is not among those that leave loop s, so by I3 no member that was in
//     s opens s + kSlots; and a member that has given up opens nothing any more, for it sees the
//     cancellation again.
//
// Ordered regions of a loop in a region that may be cancelled. There a turn may never come, since
// the member that should hand it on may have left. So a member's ordered regions are behind a lock
// as well.
//  I5 a member is in its ordered regions while it holds `among_`, from the first of its chunk to
//     the last, and no other member is. It takes the lock when its turn has come, or when the
//     region is cancelled; the member that cancels notifies those that wait.
//  I6 only the member whose chunk has the turn hands it on. A member that the cancellation let go
//     without the turn leaves the turn as it is, unless it has come meanwhile. So the turn only
//     grows, and members that wait for it keep their order. Members that were let go have no order
//     among themselves, nor with the others.
//  I7 a member that holds `among_` waits for no turn, and releases the lock before it leaves the
//     slot. So members that wait for the lock get it, and no member looks at the lock or the turn
//     of a slot that has become free, except to notify, which changes neither.
//
// Memory order (G1, G2: sync/event_count.hpp)
//  R1 freeing: each member's departure, (1) of departures.hpp, then the last one's release of the
//     event count (G1), read by the CAS that claims (G2): the next set-up comes after every use.
//  R2 set-up before use: the first member's release of the event count (G1), the load of each other
//     member (G2).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/say.hpp"
#include "loop/departures.hpp"
#include "loop/plan.hpp"
#include "sync/barrier.hpp"
#include "sync/lock.hpp"

namespace vicino::loop {

class alignas(kLinePair) Slot {
 public:
  static constexpr uint64_t kFree = 0;

  // Calls set_up() if this member is the first here. True when the slot is open for loop s. False
  // if it is not going to open because the region has been cancelled(), which notify() tells: then
  // the member skips the loop.
  template <class SetUp, class Cancelled>
  bool enter(uint64_t s, SetUp set_up, sync::Waiting waiting, Cancelled cancelled) noexcept {
    const uint64_t being_set_up = 2 * (s + 1), open = being_set_up + 1;
    uint64_t state = state_.value();  // R2
    while (state != open) {
      if (cancelled()) return false;  // I4
      VICINO_CHECK(I1, state < open);
      if (state == kFree && state_.advance_from(kFree, being_set_up)) {  // I2, R1
        set_up(*this);
        state_.advance(open);  // R2
        return true;
      }
      const auto ready = [=](uint64_t value) { return value == kFree || value == open; };
      state = state_.wait_unless(ready, cancelled, waiting.patience, waiting.limits);  // R2
      if (!ready(state)) return false;                                                 // I4
    }
    return true;
  }

  void notify() noexcept {
    state_.notify();
    turn_.notify();
  }

  void leave(uint32_t member, uint32_t members) noexcept {
    leave(member, members, [] {});
  }
  // The last member to leave calls at_end(), which sees what all members did before (R1).
  template <class AtEnd>
  void leave(uint32_t member, uint32_t members, AtEnd at_end) noexcept {
    if (!groups_.depart(all_, member, members)) return;  // R1
    at_end();
    state_.advance(kFree);  // R1
  }

  // Runs between regions: members may have left the last one from within a loop, or before it.
  void reset() noexcept {
    groups_.reset(all_);
    free();
  }
  // As reset(), if of a team of `members` only this member has been in the slot's loop.
  void reset_after(uint32_t member, uint32_t members) noexcept {
    groups_.reset_after(all_, member, members);
    free();
  }

  void* shared() noexcept {
    static_assert(offsetof(Slot, all_) < 16 && offsetof(Slot, shared_) == 16);
    return shared_;
  }
  // The turn of the loop's ordered regions: the iteration that may enter next.
  sync::EventCount& turn() noexcept { return turn_; }

  // For a region that may be cancelled: the ordered regions of the chunk that begins at `begin` may
  // run after take_turn(), until give_up_turn() or hand_on_turn().
  template <class Cancelled>
  void take_turn(uint64_t begin, sync::Waiting waiting, Cancelled cancelled) noexcept {
    const auto come = [=](uint64_t value) { return value >= begin; };
    turn_.wait_unless(come, cancelled, waiting.patience, waiting.limits);
    among_.acquire(waiting.patience.take_budget(waiting.limits));  // I5
  }
  void give_up_turn() noexcept { among_.release(); }  // I7
  void hand_on_turn(uint64_t begin, uint64_t end) noexcept {
    among_.release();
    VICINO_CHECK(I6, turn_.peek() <= begin);
    if (turn_.value() == begin) turn_.advance(end);
  }

 private:
  // Of 64 members 8 change each group's word, and 8 the common one: no other number of groups makes
  // the longer of these rows shorter. With up to 16 members two rows are hardly shorter than one,
  // and a group's word is a line more.
  using Groups = Departures<8, 16>;

  void free() noexcept {
    if (state_.value() != kFree) state_.advance(kFree);
  }

  // A loop that few members share takes one pair of lines: these three.
  sync::EventCount state_;
  Groups::Word all_{0};
  alignas(16) std::byte shared_[kSharedSize];

  alignas(kLinePair) sync::EventCount turn_;
  sync::Lock among_;
  Groups groups_;
};

class Ring {
 public:
  static constexpr uint64_t kSlots = 8;
  Slot& slot(uint64_t s) noexcept { return slots_[s % kSlots]; }
  void reset() noexcept {
    for (Slot& slot : slots_) slot.reset();
  }
  void notify() noexcept {
    for (Slot& slot : slots_) slot.notify();
  }

 private:
  Slot slots_[kSlots];
};

}  // namespace vicino::loop
