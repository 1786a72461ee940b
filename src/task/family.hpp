// family.hpp: how many of a task's children, or of a taskgroup's tasks, are not done; and how long
// the task's record is still needed.
//
// Why    Nearly every child is spawned and run by the thread that runs its parent. For these two
//        plain counters do. Only what other threads add and remove goes through an atomic word.
// Cost   here, by the owner: one plain increment. Away: one RMW on the word.
//
// The owner is the thread that runs the task, or leads the taskgroup; a task that may move between
// threads has none, and everything goes through the word.
//
// live = (added_ - removed_) - high(word), where high(word) is what was removed less what was added
// away from the owner. Low half of the word: references to the record; the task itself holds one.
// Invariants
//  I1 a member of the family is added before it can be removed, and by one that is in the family or
//     leads it. So once live is 0 with the owner looking on, it stays 0.
//  I2 settle() moves the owner's counters into the word, so that from then on whoever removes the
//     last one sees high(word) turn 0, with kSettled beside it: he is the one to wake the owner.
//  I3 the word is 0 only when the task has ended, its children have, and nobody holds the record:
//     whoever makes it 0 frees the record, and he alone.
// Memory order
//  T1 removing away is a release; it pairs with
//  T2 the acquire loads of live() and the acquire in end() and drop(): what a child did is seen by
//     whoever finds it done, and by whoever frees the record.
#pragma once

#include <cstdint>

#include "base/say.hpp"
#include "plat/plat.hpp"

namespace vicino::task {

class Family {
 public:
  enum class Left : uint8_t {
    kSome,  // or nobody cares yet
    kWake,  // the owner waits for this, and may be asleep
    kFree,  // the record is the caller's to free
  };

  // By the owner.
  void add_here() noexcept {
    if (settled_) return add_away();
    ++added_;
  }
  Left remove_here() noexcept {
    if (settled_) return remove_away();
    ++removed_;
    return Left::kSome;
  }

  // By any other thread.
  void add_away() noexcept { word_.fetch_sub(kOne, std::memory_order_relaxed); }
  Left remove_away() noexcept {
    const uint64_t now = word_.fetch_add(kOne, std::memory_order_acq_rel) + kOne;  // T1, T2
    if (now == 0) return Left::kFree;                                              // I3
    return high(now) == 0 && (now & kSettled) != 0 ? Left::kWake : Left::kSome;    // I2
  }

  // By the owner: how many are not done.
  uint32_t live() const noexcept {
    return added_ - removed_ - high(word_.load(std::memory_order_acquire));  // T2
  }
  // The same of a value of word().
  uint32_t live_by(uint64_t word) const noexcept { return added_ - removed_ - high(word); }
  const plat::atomic<uint64_t>& word() const noexcept { return word_; }

  // The owner is about to sleep until live() is 0 ...
  void settle() noexcept {
    if (settled_) return;
    settled_ = true;
    word_.fetch_add(kSettled - shifted(added_ - removed_), std::memory_order_acq_rel);
    added_ = removed_ = 0;
  }
  // ... and it is.
  void unsettle() noexcept {
    VICINO_CHECK(I1, live() == 0);
    if (!settled_) return;
    settled_ = false;
    word_.fetch_sub(kSettled, std::memory_order_relaxed);
  }

  // From now on nobody owns it. By the owner.
  void disown() noexcept {
    word_.fetch_sub(shifted(added_ - removed_), std::memory_order_acq_rel);
    added_ = removed_ = 0;
  }

  // A reference to the record, taken by one that is counted here; true if dropping it was the last.
  void hold() noexcept { word_.fetch_add(kReference, std::memory_order_relaxed); }
  bool drop() noexcept {
    return word_.fetch_sub(kReference, std::memory_order_acq_rel) == kReference;  // T1, T2
  }

  // Nobody but the owner knows the record any more. By the owner.
  bool alone() const noexcept {
    return word_.load(std::memory_order_acquire) == shifted(added_ - removed_) + kReference;  // T2
  }
  // The task has ended; true if the record is the caller's to free, else somebody else will.
  bool end() noexcept {
    VICINO_CHECK(I2, !settled_);
    const uint64_t mine = shifted(added_ - removed_) + kReference;
    return word_.fetch_sub(mine, std::memory_order_acq_rel) == mine;  // T1, T2, I3
  }

  // As new; nobody else may know it.
  void reset() noexcept {
    added_ = removed_ = 0;
    settled_ = false;
    word_.store(kReference, std::memory_order_relaxed);
  }

 private:
  static constexpr uint64_t kOne = uint64_t{1} << 32;
  static constexpr uint64_t kSettled = uint64_t{1} << 31;
  static constexpr uint64_t kReference = 1;
  static constexpr uint32_t high(uint64_t word) { return static_cast<uint32_t>(word >> 32); }
  static constexpr uint64_t shifted(uint32_t n) { return uint64_t{n} << 32; }

  uint32_t added_ = 0, removed_ = 0;
  bool settled_ = false;
  plat::atomic<uint64_t> word_{kReference};
};

}  // namespace vicino::task
