// ring.hpp: the slots in which a team's loops in flight keep what their members share.
//
// Why    With `nowait`, fast members may be several loops ahead of slow ones; each of those loops
//        needs its own state. A ring of kSlots bounds it: a member that is kSlots loops ahead of
//        the slowest waits.
// Cost   entering a loop that is open: one load. Opening it: a CAS and an exchange. Leaving: one
//        fetch_add; the last one to leave frees the slot.
//
// Loop number s (each member counts for itself; all meet the same loops in the same order) uses
// slot s mod kSlots. The slot's gate is 0 when free, 2(s+1) while the first to come sets it up,
// 2(s+1)+1 when open for all. Invariants
//  I1 a member at loop s finds its slot free, or with s, or with s - kSlots: it has itself been in
//     s - kSlots, which therefore had been opened, and nobody opens s + kSlots before all left s.
//  I2 of those who find it free one wins the CAS; the others see 2(s+1) or later, and wait.
//  I3 the slot becomes free when `left` reaches the team's size: nobody uses it any more.
//  I4 in a cancelled region members leave out loops, and slots may stay as they are: who waits for
//     one gives up. It is not among those that leave loop s, so by I3 nobody who was in s opens
//     s + kSlots; and who has given up opens nothing any more, for it sees the cancellation again.
//
// Ordered regions of a loop in a region that may be cancelled. There a turn may never come: the
// member that should hand it on may have left. So a member's regions are behind a lock as well.
//  I5 a member is in its ordered regions while it holds `among_`, and nobody else is: from the
//     first of its chunk to the last. It takes that when its turn has come, or when the region is
//     cancelled; whoever cancels nudges.
//  I6 only the member whose chunk holds the turn opens it. One that was let go without it leaves it
//     as it is, unless it has come meanwhile: it grows, and those that wait for it keep their
//     order. Those that were let go have none among them, nor with the others.
//  I7 who holds `among_` waits for no turn, and lets it go before it leaves the slot: so those that
//     wait for it get it, and nobody looks at it or at the turn of a slot that has become free, but
//     for a nudge, which changes neither.
//
// Memory order
//  R1 freeing: each member's fetch_add (acq_rel) on `left`, then the last one's gate opening (G1),
//     read by the CAS that claims (G2): the next set-up comes after every use.
//  R2 set-up before use: the gate opening by the first (G1), the load of each other (G2).
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/say.hpp"
#include "loop/plan.hpp"
#include "sync/barrier.hpp"
#include "sync/lock.hpp"

namespace vicino::loop {

class alignas(kLinePair) Slot {
 public:
  static constexpr uint64_t kFree = 0;

  // Calls set_up() if this member is the first here; true when the slot is open for loop s. False
  // if it is not going to be, for the region has been cancelled(), which is told by nudge(): then
  // the member leaves the loop out.
  template <class SetUp, class Cancelled>
  bool enter(uint64_t s, SetUp set_up, sync::Waiting waiting, Cancelled cancelled) noexcept {
    const uint64_t being_set_up = 2 * (s + 1), open = being_set_up + 1;
    uint64_t state = state_.value();
    while (state != open) {
      if (cancelled()) return false;  // I4
      VICINO_CHECK(I1, state < open);
      if (state == kFree && state_.open_from(kFree, being_set_up)) {  // I2
        set_up(*this);
        state_.open(open);  // R2
        return true;
      }
      const auto ready = [=](uint64_t value) { return value == kFree || value == open; };
      state = state_.wait_unless(ready, cancelled, waiting.patience, waiting.limits);
      if (!ready(state)) return false;  // I4
    }
    return true;
  }

  void nudge() noexcept {
    state_.nudge();
    turn_.nudge();
  }

  void leave(uint32_t members) noexcept {
    const uint32_t left = left_.fetch_add(1, std::memory_order_acq_rel) + 1;  // R1
    VICINO_CHECK(I3, left <= members);
    if (left != members) return;
    left_.store(0, std::memory_order_relaxed);
    state_.open(kFree);
  }

  // Between regions: members may have left the last one from within a loop, or before it.
  void reset() noexcept {
    left_.store(0, std::memory_order_relaxed);
    if (state_.value() != kFree) state_.open(kFree);
  }

  void* shared() noexcept { return shared_; }
  // Whose turn it is in the loop's ordered regions: the iteration that may enter next.
  sync::Gate& turn() noexcept { return turn_; }

  // The same where the region may be cancelled: ordered regions of the chunk that begins at `begin`
  // may run from take_turn() on, until one of the other two.
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
    if (turn_.value() == begin) turn_.open(end);
  }

 private:
  sync::Gate state_;
  plat::atomic<uint32_t> left_{0};
  alignas(16) std::byte shared_[kSharedSize];
  alignas(kLinePair) sync::Gate turn_;
  sync::Lock among_;
};

class Ring {
 public:
  static constexpr uint64_t kSlots = 8;
  Slot& slot(uint64_t s) noexcept { return slots_[s % kSlots]; }
  void reset() noexcept {
    for (Slot& slot : slots_) slot.reset();
  }
  void nudge() noexcept {
    for (Slot& slot : slots_) slot.nudge();
  }

 private:
  Slot slots_[kSlots];
};

}  // namespace vicino::loop
