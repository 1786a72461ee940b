// pending_count.hpp: how many of a task's children, or of a taskgroup's tasks, are not done; and
// how long the task's record is still needed.
//
// Why    Nearly every child is spawned and run by the thread that runs its parent. For these
//        children two plain counters are enough. Only what other threads add and remove goes
//        through an atomic word.
// Cost   here, by the owner: one plain increment. Away, by another thread: one RMW on the word.
//
// The owner is the thread that runs the task, or leads the taskgroup. A task that may move between
// threads has no owner, and everything goes through the word.
//
// live = (added_ - removed_) - high(word), where high(word) is what was removed less what was added
// away from the owner. Low half of the word: references to the record; the task itself holds one.
// Invariants
//  I1 a task is added before it can be removed, and by a task that is counted in the same pending
//     count, or by the owner. So once the owner has seen live = 0, it stays 0.
//  I2 settle() moves the owner's counters into the word, so that from then on the thread that
//     removes the last task sees high(word) become 0, with kSettled beside it: this thread has to
//     wake the owner.
//  I3 the word is 0 only when the task and its children have ended and no thread holds the record:
//     the thread that makes it 0, and no other, frees the record.
// Memory order
//  T1 removing away, settling, disowning, ending and dropping are releases; they pair with
//  T2 the acquires of live(), alone() and of the same RMWs: what a child did is seen by the thread
//     that finds it done, and by the thread that frees the record.
//  add_away(), hold() and unsettle() are relaxed: they publish nothing, and the record cannot go
//  meanwhile, since the caller owns it or its task is counted in it.
#pragma once

#include <cstdint>

#include "base/say.hpp"
#include "plat/plat.hpp"

namespace vicino::task {

class PendingCount {
 public:
  enum class Left : uint8_t {
    kSome,  // some are left, or no thread waits for the end yet
    kWake,  // the owner waits for the end, and may be asleep
    kFree,  // the caller has to free the record
  };

  // By the owner: adds so many.
  void add_here(uint32_t count = 1) noexcept {
    if (settled_) return add_away(count);
    added_ += count;
  }
  Left remove_here() noexcept {
    if (settled_) return remove_away();
    ++removed_;
    return Left::kSome;
  }

  // By any other thread.
  void add_away(uint32_t count = 1) noexcept {
    word_.fetch_sub(shifted(count), std::memory_order_relaxed);
  }
  Left remove_away() noexcept {
    const uint64_t now = word_.fetch_add(kOne, std::memory_order_acq_rel) + kOne;  // T1, T2
    if (now == 0) return Left::kFree;                                              // I3
    return high(now) == 0 && (now & kSettled) != 0 ? Left::kWake : Left::kSome;    // I2
  }

  // By the owner: how many tasks are not done.
  uint32_t live() const noexcept {
    return added_ - removed_ - high(word_.load(std::memory_order_acquire));  // T2
  }
  // The same for a value of word().
  uint32_t live_by(uint64_t word) const noexcept { return added_ - removed_ - high(word); }
  const plat::atomic<uint64_t>& word() const noexcept { return word_; }

  // The owner is about to wait until live() is 0 ...
  void settle() noexcept {
    if (settled_) return;
    settled_ = true;
    word_.fetch_add(kSettled - shifted(added_ - removed_), std::memory_order_acq_rel);  // T1, T2
    added_ = removed_ = 0;
  }
  // ... and now it is 0.
  void unsettle() noexcept {
    VICINO_CHECK(I1, live() == 0);
    if (!settled_) return;
    settled_ = false;
    word_.fetch_sub(kSettled, std::memory_order_relaxed);
  }

  // From now on the count has no owner. By the owner.
  void disown() noexcept {
    word_.fetch_sub(shifted(added_ - removed_), std::memory_order_acq_rel);  // T1, T2
    added_ = removed_ = 0;
  }

  // Takes or drops a reference to the record; a task that is counted here takes it. True if the
  // reference dropped was the last.
  void hold() noexcept { word_.fetch_add(kReference, std::memory_order_relaxed); }
  bool drop() noexcept {
    return word_.fetch_sub(kReference, std::memory_order_acq_rel) == kReference;  // T1, T2
  }

  // Whether only the owner still knows the record. By the owner.
  bool alone() const noexcept {
    return word_.load(std::memory_order_acquire) == shifted(added_ - removed_) + kReference;  // T2
  }
  // The task has ended. True if the caller has to free the record; otherwise another thread will.
  bool end() noexcept {
    VICINO_CHECK(I2, !settled_);
    const uint64_t mine = shifted(added_ - removed_) + kReference;
    return word_.fetch_sub(mine, std::memory_order_acq_rel) == mine;  // T1, T2, I3
  }

  // Makes the count as new; no other thread may know it.
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
