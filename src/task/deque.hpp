// deque.hpp: one thread's tasks: the owner works at one end, thieves at the other.
//
// Why    Depth first keeps what a thread works on in its cache and the stack small; a thief at the
//        other end gets the oldest task, which in a recursive program is the largest.
// Cost   push: two stores. pop: one exchange. steal: one compare-and-swap, on a line that the owner
//        reads only when it is nearly out of tasks.
// Not    steal-half: tasks are coarser than iterations, and stealing one at a time keeps the order.
// Source Chase and Lev, Dynamic Circular Work-Stealing Deque (2005), with C++ orders after Le,
//        Pop, Cohen and Zappa Nardelli (2013), but sequentially consistent accesses where they have
//        fences: same cost on x86, less on Arm, and model-checked as it is.
//
// Tasks lie in ring_[top_ .. bottom_).
// Invariants
//  I1 top_ never decreases; only a successful steal, or the owner taking the last task, moves it.
//  I2 only the owner writes bottom_, ring_ and slots; a slot in [top_, bottom_) is not written.
//  I3 each task pushed is given out once: by pop() if top_ is still below the task's index after
//     pop() has decremented bottom_, else to the thread that moves top_ past it.
// Memory order
//  D1 push() publishes the slot, and with it the task, by a release of bottom_. So does pop() when
//     it puts bottom_ back: a thief that has read the old top_ looks at the slot, though in vain.
//     D1 pairs with
//  D2 steal()'s acquire of bottom_.
//  D3 pop() decrements bottom_, then reads top_; steal() reads top_, then bottom_. The four are
//     sequentially consistent: at least one of the two sees what the other did.
//  D4 a new ring is published by a release and read by an acquire, or seen later with D1: an old
//     ring holds the same tasks at the same indices for as long as a thief may read it.
//  D5 a thief reads the slot, then releases top_ by its compare-and-swap; the owner acquires top_
//     before it writes a slot again.
//  D6 a slow thief, whose top_ is old, may find a newer task in the slot than the bottom_ that it
//     read has published. So a slot, too, is written by a release and read by an acquire: whatever
//     task the thief looks at, it sees all of it.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/line.hpp"
#include "base/say.hpp"
#include "plat/plat.hpp"

namespace vicino::task {

template <class T>
class Deque {
 public:
  // `first`: how many tasks the first ring holds, a power of two. The owner's first push makes this
  // ring, so that it lies on the owner's node.
  explicit Deque(uint64_t first = 256) : first_(first) {}
  Deque(const Deque&) = delete;

  // By the owner.
  void push(T* task) {
    const uint64_t bottom = bottom_.load(std::memory_order_relaxed);
    if (bottom - top_seen_ == capacity_) [[unlikely]]
      make_room(bottom);
    slot(*mine_, bottom).store(task, std::memory_order_release);  // D6
    bottom_.store(bottom + 1, std::memory_order_release);         // D1
  }

  // By the owner: takes the youngest task; null if there is none, or if the youngest lies below
  // index `floor`, an earlier bottom().
  T* pop(uint64_t floor = 0) noexcept {
    const uint64_t bottom = bottom_.load(std::memory_order_relaxed);
    uint64_t top = top_.load(std::memory_order_relaxed);
    if (bottom <= top || bottom <= floor) return nullptr;  // I1: it cannot become less empty
    const uint64_t last = bottom - 1;
    bottom_.exchange(last, std::memory_order_seq_cst);  // D3
    top = top_.load(std::memory_order_seq_cst);         // D3
    if (top < last) return slot(*mine_, last).load(std::memory_order_relaxed);
    T* task = nullptr;
    if (top == last && top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                                    std::memory_order_relaxed)) {  // I3
      task = slot(*mine_, last).load(std::memory_order_relaxed);
      ++own_oldest_;
    }
    bottom_.store(bottom, std::memory_order_release);  // D1: a slow thief looks at the slot
    return task;
  }

  // By the owner: whether there are at least `n` tasks.
  bool holds(uint64_t n) noexcept {
    const uint64_t bottom = bottom_.load(std::memory_order_relaxed);
    if (bottom - top_seen_ < n) return false;
    top_seen_ = top_.load(std::memory_order_acquire);  // D5; the slots before it are free (I1)
    return bottom - top_seen_ >= n;
  }

  // By the owner: how many tasks there are, as a guess: thieves may have taken some meanwhile.
  uint64_t size() const noexcept {
    const uint64_t bottom = bottom_.load(std::memory_order_relaxed);
    const uint64_t top = top_.load(std::memory_order_relaxed);
    return bottom > top ? bottom - top : 0;
  }

  // By the owner: how many tasks thieves have taken so far, as a guess.
  uint64_t stolen() const noexcept { return top_.load(std::memory_order_relaxed) - own_oldest_; }

  // By the owner: the index of the next task pushed: how many were pushed and not popped so far.
  uint64_t bottom() const noexcept { return bottom_.load(std::memory_order_relaxed); }

  enum class Stolen : uint8_t { kNothing, kLostRace, kUnwanted, kTask };

  // By any other thread: takes the oldest task, if wanted(it). The task may be gone while wanted()
  // looks at it: so wanted() must read atomics alone, in memory that stays. If the task is gone,
  // the answer does not count.
  template <class Wanted>
  Stolen steal(T*& task, Wanted wanted) noexcept {
    uint64_t top = top_.load(std::memory_order_seq_cst);              // D3
    const uint64_t bottom = bottom_.load(std::memory_order_seq_cst);  // D2, D3
    if (top >= bottom) return Stolen::kNothing;
    Ring* ring = ring_.load(std::memory_order_acquire);  // D4
    T* const found = slot(*ring, top).load(std::memory_order_acquire);  // D6
    if (!wanted(found)) return Stolen::kUnwanted;
    if (!top_.compare_exchange_strong(top, top + 1, std::memory_order_seq_cst,
                                      std::memory_order_relaxed))  // I3, D5
      return Stolen::kLostRace;
    task = found;
    return Stolen::kTask;
  }

  // By any thread, as a guess: what it reads may be old.
  bool seems_empty() const noexcept {
    return top_.load(std::memory_order_relaxed) >= bottom_.load(std::memory_order_relaxed);
  }

  // By any thread: whether steal() would probably give a task.
  template <class Wanted>
  bool offers(Wanted wanted) const noexcept {
    const uint64_t top = top_.load(std::memory_order_seq_cst);         // D3
    if (top >= bottom_.load(std::memory_order_seq_cst)) return false;  // D2, D3
    Ring* const ring = ring_.load(std::memory_order_acquire);         // D4
    return wanted(slot(*ring, top).load(std::memory_order_acquire));  // D6
  }

 private:
  struct Ring {
    explicit Ring(uint64_t capacity)
        : mask(capacity - 1), slots(new plat::atomic<T*>[static_cast<size_t>(capacity)]) {}
    uint64_t mask;
    std::unique_ptr<plat::atomic<T*>[]> slots;
  };

  static plat::atomic<T*>& slot(Ring& ring, uint64_t number) noexcept {
    return ring.slots[static_cast<size_t>(number & ring.mask)];
  }

  [[gnu::noinline]] void make_room(uint64_t bottom) {
    top_seen_ = top_.load(std::memory_order_acquire);  // D5; the slots before it are free (I1)
    if (bottom - top_seen_ < capacity_) return;
    if (mine_ == nullptr) {
      ring_.store(&grow_to(first_), std::memory_order_relaxed);  // D1
      return;
    }
    const Ring& old = *mine_;
    Ring& next = grow_to(2 * capacity_);
    for (uint64_t i = top_seen_; i < bottom; ++i)
      slot(next, i).store(
          old.slots[static_cast<size_t>(i & old.mask)].load(std::memory_order_relaxed),
          std::memory_order_relaxed);
    ring_.store(&next, std::memory_order_release);  // D4
  }

  // Thieves may be reading any earlier ring, so all rings are kept: the earlier ones together are
  // as large as the last.
  Ring& grow_to(uint64_t capacity) {
    rings_.push_back(std::make_unique<Ring>(capacity));
    mine_ = rings_.back().get();
    capacity_ = capacity;
    return *mine_;
  }

  alignas(kLinePair) plat::atomic<uint64_t> top_{0};
  alignas(kLinePair) plat::atomic<uint64_t> bottom_{0};
  Ring* mine_ = nullptr;
  uint64_t capacity_ = 0;
  const uint64_t first_;
  uint64_t top_seen_ = 0;    // top_ was at least this
  uint64_t own_oldest_ = 0;  // how often the owner has moved top_
  plat::atomic<Ring*> ring_{nullptr};
  std::vector<std::unique_ptr<Ring>> rings_;
};

}  // namespace vicino::task
