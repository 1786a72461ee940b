// allocator.hpp: OpenMP's allocators, and the memory that they give.
//
// Why    A block must be freed and resized by a program that does not say which allocator it came
//        from. So each block has a tag of 16 bytes before it: its allocator and its size.
// Cost   without a pool, pages of its own or an alignment above 16: malloc() of 16 bytes more. A pool
//        adds one compare-and-swap on one line per allocation and one subtraction per free.
// Not    a heap: the C library's serves. Memory that has to be pinned or placed on nodes gets pages of
//        its own, because only whole pages can be; placed memory of less than a page comes from the
//        C library's heap like any other.
//
// Invariants
//  I1 pool   the sizes of a pool's live blocks add up to at most pool_size. A request fails for
//            lack of room only if the sizes of the blocks that were live at one moment of the call,
//            and its own, add up to more.
//  I2 owner  a block's tag names the allocator that gave it, which after a fallback is another one
//            than was asked.
//
// Memory order: the pool's count is relaxed. It carries no data; the C library's heap orders the
// reuse of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "memory/block.hpp"
#include "memory/placement.hpp"
#include "memory/traits.hpp"
#include "plat/plat.hpp"

namespace vicino::memory {

// A predefined allocator's handle is its number; any other is its address.
using Handle = uintptr_t;
inline constexpr Handle kNullHandle = 0, kDefaultHandle = 1, kLastPredefined = 8;
// LLVM's own, for memory of the host that devices can reach. There is no device.
inline constexpr Handle kFirstOfLlvm = 100, kLastOfLlvm = 102;
// gcc's own: pinned memory, and memory that devices can reach.
inline constexpr Handle kPinnedOfGcc = 200, kManagedOfGcc = 201;

enum class Fill : uint8_t { kNone, kZero };

// The low bits of an allocator's address are free: a tag keeps there what sort of block it is for.
class alignas(64) Allocator {
 public:
  explicit constexpr Allocator(const Description& description, Handle number = kNullHandle)
      : description_(description),
        number_(number),
        pooled_(description.traits.pool_size != Traits::kNoLimit),
        asks_for_nodes_(asks_for_nodes(description)),
        some_ask_for_nodes_(asks_for_nodes_ ||
                            (description.traits.fallback == Fallback::kAllocator &&
                             description.traits.fallback_to != nullptr &&
                             description.traits.fallback_to->some_ask_for_nodes_)),
        plain_(!asks_for_nodes_ && !description.traits.pinned &&
               description.traits.alignment <= kMallocAlignment) {}
  Allocator(const Allocator&) = delete;

  Handle handle() const noexcept {
    return number_ != kNullHandle ? number_ : reinterpret_cast<Handle>(this);
  }
  // Its blocks, or those of an allocator that it falls back to, may have to be placed on nodes, which takes
  // the machine's topology.
  bool places() const noexcept { return some_ask_for_nodes_ && may_place(); }
  size_t in_use() const noexcept { return used_.load(std::memory_order_relaxed); }

  // Null if there is no memory, after the fallback, or for 0 bytes. `alignment` is a power of two;
  // the trait's holds if it is larger.
  void* allocate(size_t bytes, size_t alignment, Fill fill) noexcept {
    if (plain_ && alignment <= kMallocAlignment && fill == Fill::kNone && bytes - 1 < kMost)
        [[likely]]
      if (void* const block = allocate_plain(bytes)) [[likely]]
        return block;
    return allocate_slowly(bytes, alignment, fill);
  }
  // The block grows or shrinks where it is if it can. `from` is not null, `bytes` not 0.
  void* reallocate(void* from, size_t bytes) noexcept;

 private:
  friend void release_other(void* block) noexcept;

  void* allocate_plain(size_t bytes) noexcept {
    if (pooled_ && !reserve(bytes)) return nullptr;
    void* const start = std::malloc(sizeof(Tag) + bytes);
    if (start != nullptr) [[likely]]
      return plain_block(start, owner_word(), bytes);
    if (pooled_) give_back(bytes);
    return nullptr;
  }
  void* allocate_slowly(size_t bytes, size_t alignment, Fill fill) noexcept;
  void* allocate_here(size_t bytes, size_t alignment, Fill fill) noexcept;
  void* get_memory(size_t bytes, size_t alignment, Fill fill) noexcept;  // does not count it
  void* resize(void* from, size_t bytes) noexcept;
  bool places_here() const noexcept { return asks_for_nodes_ && may_place(); }
  bool needs_pages(size_t bytes) const noexcept;
  void* allocate_pages(size_t bytes, size_t alignment) noexcept;
  Allocator* next() const noexcept;
  // Of a block that is not shifted, and has no pages of its own.
  uintptr_t owner_word() const noexcept {
    return reinterpret_cast<uintptr_t>(this) | (pooled_ ? kPooled : 0);
  }

  // I1: a compare-and-swap rather than an addition that is taken back if it was too much: meanwhile
  // another thread's smaller request would fail, though there is room for it.
  bool reserve(size_t bytes) noexcept {
    size_t used = used_.load(std::memory_order_relaxed);
    do {
      if (bytes > description_.traits.pool_size - used) return false;
    } while (!used_.compare_exchange_weak(used, used + bytes, std::memory_order_relaxed));
    return true;
  }
  void give_back(size_t bytes) noexcept { used_.fetch_sub(bytes, std::memory_order_relaxed); }

  const Description description_;
  const Handle number_;
  const bool pooled_, asks_for_nodes_;
  const bool some_ask_for_nodes_;  // this one, or one that it falls back to
  const bool plain_;               // neither pages of its own nor a large alignment
  plat::atomic<size_t> used_{0};
};

static_assert(alignof(Allocator) > kBits);

extern Allocator predefined[kLastPredefined];

// Null if the handle is not a predefined allocator's.
inline Allocator* find_predefined(Handle handle) noexcept {
  const Handle index = handle - 1;
  return index < kLastPredefined ? &predefined[index] : nullptr;
}
Allocator* find_other(Handle handle);
// The allocator with this handle; null for the null handle. Ends the program if there is none.
inline Allocator* find(Handle handle) {
  Allocator* const found = find_predefined(handle);
  return found != nullptr ? found : find_other(handle);
}
inline Allocator& default_allocator() { return predefined[kDefaultHandle - 1]; }

// Null if there is no memory for it.
Allocator* make(const Description& description);
// A predefined allocator stays.
void destroy(Allocator* allocator) noexcept;

// The allocator that gave the block.
inline Allocator& owner_of(void* block) noexcept {
  return *reinterpret_cast<Allocator*>(tag_of(block).owner & ~kBits);
}

// Gives back a block of any allocator; null is allowed.
void release_other(void* block) noexcept;
inline void release(void* block) noexcept {
  if (block == nullptr) return;
  if ((tag_of(block).owner & kBits) == 0) [[likely]]
    return std::free(&tag_of(block));
  release_other(block);
}

}  // namespace vicino::memory
