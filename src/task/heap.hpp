// heap.hpp: memory for the records of tasks: each thread has its own heap, and gives back what
// other threads allocated.
//
// Why    A task lives for a hundred nanoseconds, and one is allocated as often. Its memory comes
//        from the thread that spawns it, on that thread's node, and returns there.
// Cost   take, and give by the same thread: a push or pop on a plain list. Give by another thread:
//        a push on a plain list, and one exchange per kBundle blocks.
// Large  clang keeps a task's private arrays in the task. Large blocks take the same ways; but their
//        classes are four to a power of two, which wastes a fifth at most, and their first line says
//        where they came from. A heap keeps kMostKept bytes of them on its free lists, and as many that
//        other threads have returned: beyond that a block keeps its address and its first words, and
//        the system gets its other pages.
// Not    for blocks above kLargest: the caller goes to malloc. Addresses are never given back to the
//        system: they are bounded by the most tasks that were alive at once, and a thief needs the
//        record's to stay, because the thief may read a task that is gone (deque.hpp).
//
// Invariants
//  I1 a block on free_ was carved by this heap; free_ is touched by its thread alone.
//  I2 a block that another heap's thread gives back is in one bundle, then in its own heap's
//     returned_, then in its own heap's free_. A heap takes all of returned_ at once, so no block
//     is ever popped singly there, and no block can come back unseen (no ABA).
//  I3 a thread that has nothing to do flushes its bundle.
// Memory order
//  M1 a bundle is returned by a release; it pairs with
//  M2 the heap takes all by an acquire: the links are seen, and the last reads of the blocks'
//     former life come before their next life.
//  M3 returned_bytes_ is relaxed: it carries no data. A thread adds before it returns the bundle, and the
//     owner subtracts after M2, so it is never below 0.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/line.hpp"
#include "plat/plat.hpp"

namespace vicino::task {

class Heap {
 public:
  static constexpr size_t kSmall = 1024;
  static constexpr size_t kLargest = 64 * 1024;
  static constexpr size_t kMostKept = 16 * 1024 * 1024;

  // Where a block in use came from; its user keeps this. A free block's first words are a Block.
  struct Origin {
    Heap* heap = nullptr;  // null: the block is large
    uint32_t size_class = 0;
  };

  Heap() = default;
  Heap(const Heap&) = delete;
  ~Heap();

  // `bytes` <= kSmall; aligned to a cache line. By the owner.
  void* take(size_t bytes, Origin& origin) {
    const uint32_t c = class_of(bytes);
    origin = {this, c};
    if (Block* block = free_[c]) [[likely]] {
      free_[c] = block->next;
      return block;
    }
    return refill(c);
  }
  // kSmall < `bytes` <= kLargest. By the owner.
  [[gnu::noinline]] void* take_large(size_t bytes, Origin& origin);

  // Gives a block back to the heap that it came from. By this heap's thread.
  void give(void* memory, Origin origin) noexcept {
    auto* block = static_cast<Block*>(memory);
    if (origin.heap == this) [[likely]] {
      block->next = free_[origin.size_class];
      free_[origin.size_class] = block;
      return;
    }
    give_away(block, origin);
  }

  // Returns the bundle (I3). By this heap's thread, which is about to rest.
  void flush() noexcept {
    if (bundle_.first != nullptr) return_bundle();
  }

 private:
  struct Block {
    Block* next;
    uint32_t size_class;  // while in a bundle
    bool is_kept;         // a free large block: it counts in kept_
  };
  // The line before a large block.
  struct alignas(kLine) Large {
    Heap* heap;
  };
  static constexpr size_t kStep = kLine;
  static constexpr uint32_t kSmallClasses = kSmall / kStep;
  static constexpr uint32_t kClasses = kSmallClasses + 24;  // six doublings
  static constexpr size_t kSlab = 32 * 1024, kLargeSlab = 512 * 1024;
  static constexpr int kBundle = 16;
  static constexpr uint32_t class_of(size_t bytes) {
    return static_cast<uint32_t>((bytes + kStep - 1) / kStep) - 1;
  }
  static constexpr size_t bytes_of(uint32_t size_class) { return (size_class + 1) * kStep; }
  static uint32_t large_class_of(size_t bytes);
  static size_t large_bytes_of(uint32_t size_class);
  static Large& large(void* block) noexcept { return static_cast<Large*>(block)[-1]; }

  // What is left of the newest slab; touched first by the owner.
  struct Rest {
    char* at = nullptr;
    char* end = nullptr;
  };

  [[gnu::noinline]] void* refill(uint32_t size_class);
  void take_returned() noexcept;
  void* carve(Rest& rest, size_t bytes, size_t slab);
  void keep(Block* block, uint32_t size_class) noexcept;
  void give_away(Block* block, Origin origin) noexcept;
  void return_bundle() noexcept;

  std::array<Block*, kClasses> free_{};
  Rest rest_, large_rest_;
  size_t kept_ = 0;  // bytes of the large blocks on free_ whose pages this heap has not released
  std::vector<void*> slabs_;

  // Blocks of one other heap, not yet returned.
  struct {
    Heap* heap = nullptr;
    Block* first = nullptr;
    Block* last = nullptr;
    int size = 0;
    size_t large_bytes = 0;
  } bundle_;

  alignas(kLinePair) plat::atomic<Block*> returned_{nullptr};
  plat::atomic<size_t> returned_bytes_{0};  // M3: of the large blocks on returned_
};

}  // namespace vicino::task
