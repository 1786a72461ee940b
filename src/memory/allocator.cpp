#include "memory/allocator.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/say.hpp"
#include "memory/placement.hpp"
#include "topo/machine.hpp"
#include "topo/pages.hpp"

namespace vicino::memory {
namespace {

void* from_heap(uintptr_t owner, size_t bytes, size_t alignment, Fill fill) noexcept {
  const bool shifted = alignment > kMallocAlignment;
  const size_t all = bytes + (shifted ? kShiftedHead + alignment : sizeof(Tag));
  void* const start = fill == Fill::kZero ? std::calloc(1, all) : std::malloc(all);
  if (start == nullptr) return nullptr;
  return shifted ? shifted_block(start, alignment, owner, bytes) : plain_block(start, owner, bytes);
}

// The bytes from `start` to the end of the last page of the block.
size_t length_of_pages(void* start, void* block, size_t bytes) noexcept {
  const auto head = static_cast<size_t>(static_cast<char*>(block) - static_cast<char*>(start));
  const size_t page = topo::page_size();
  return (head + bytes + page - 1) / page * page;
}

void free_memory(void* block) noexcept {
  const Tag& tag = tag_of(block);
  void* const start = start_of(block);
  if ((tag.owner & kPages) != 0)
    topo::free_pages(start, length_of_pages(start, block, tag.bytes));
  else
    std::free(start);
}

}  // namespace

// Those of access cgroup, pteam and thread give memory that other threads can reach as well.
constinit Allocator predefined[kLastPredefined]{
    Allocator({.traits = {.fallback = Fallback::kNull}}, kDefaultHandle),
    Allocator({.space = Space::kLargeCap, .traits = {}}, 2),
    Allocator({.space = Space::kConst, .traits = {}}, 3),
    Allocator({.space = Space::kHighBandwidth, .traits = {}}, 4),
    Allocator({.space = Space::kLowLatency, .traits = {}}, 5),
    Allocator({.traits = {.access = Access::kCgroup}}, 6),
    Allocator({.traits = {.access = Access::kPteam}}, 7),
    Allocator({.traits = {.access = Access::kThread}}, 8),
};
namespace {
constinit Allocator of_llvm[]{Allocator({}, kFirstOfLlvm), Allocator({}, kFirstOfLlvm + 1),
                              Allocator({}, kLastOfLlvm)};
// As in libgomp, none of the two falls back to memory without its property.
constinit Allocator pinned_of_gcc({.traits = {.fallback = Fallback::kNull, .pinned = true}},
                                  kPinnedOfGcc);
constinit Allocator managed_of_gcc({.traits = {.fallback = Fallback::kNull}}, kManagedOfGcc);
}  // namespace

void* Allocator::allocate_pages(size_t bytes, size_t alignment) noexcept {
  const size_t page = topo::page_size();
  const size_t all = (kShiftedHead + alignment + bytes + page - 1) / page * page;
  void* start;
  if (topo::allocate_pages(all, &start) != 0) return nullptr;
  if (places_here()) place(topo::Machine::here(), description_, start, all);
  if (description_.traits.pinned && mlock(start, all) != 0) {
    topo::free_pages(start, all);
    return nullptr;
  }
  const auto owner = owner_word() | kPages;
  void* const block = shifted_block(start, alignment, owner, bytes);
  const size_t needed = length_of_pages(start, block, bytes);
  if (needed < all) topo::free_pages(static_cast<char*>(start) + needed, all - needed);
  return block;
}

bool Allocator::needs_pages(size_t bytes) const noexcept {
  return description_.traits.pinned || (bytes >= topo::page_size() && places_here());
}

void* Allocator::get_memory(size_t bytes, size_t alignment, Fill fill) noexcept {
  alignment = std::max(alignment, description_.traits.alignment);
  if (needs_pages(bytes)) return allocate_pages(bytes, alignment);
  return from_heap(owner_word(), bytes, alignment, fill);
}

void* Allocator::allocate_here(size_t bytes, size_t alignment, Fill fill) noexcept {
  if (bytes > kMost || alignment > kMost) return nullptr;
  if (pooled_ && !reserve(bytes)) return nullptr;
  void* const block = get_memory(bytes, alignment, fill);
  if (block == nullptr && pooled_) give_back(bytes);
  return block;
}

// The allocator to ask when this one has no memory; null if there is none.
Allocator* Allocator::next() const noexcept {
  switch (description_.traits.fallback) {
    case Fallback::kDefaultMemory:
      return number_ == kDefaultHandle ? nullptr : &default_allocator();
    case Fallback::kAllocator:
      return description_.traits.fallback_to;
    case Fallback::kNull:
    case Fallback::kAbort:
      break;
  }
  return nullptr;
}

void* Allocator::allocate_slowly(size_t bytes, size_t alignment, Fill fill) noexcept {
  if (bytes == 0) return nullptr;
  for (Allocator* from = this; from != nullptr; from = from->next()) {
    void* const block = from->allocate_here(bytes, alignment, fill);
    if (block != nullptr) [[likely]]
      return block;
    if (from->description_.traits.fallback == Fallback::kAbort)
      die("an allocator with fallback=abort_fb has no memory for %zu bytes", bytes);
  }
  return nullptr;
}

// A block of this allocator with another size: the pool has to have room only for what is added.
void* Allocator::resize(void* from, size_t bytes) noexcept {
  const Tag tag = tag_of(from);
  const size_t more = bytes > tag.bytes ? bytes - tag.bytes : 0;
  if (bytes > kMost || (pooled_ && !reserve(more))) return nullptr;
  void* to;
  if ((tag.owner & (kShifted | kPages)) == 0 && !needs_pages(bytes)) {
    void* const start = std::realloc(&tag_of(from), sizeof(Tag) + bytes);
    to = start == nullptr ? nullptr : plain_block(start, tag.owner, bytes);
  } else {
    to = get_memory(bytes, 1, Fill::kNone);
    if (to != nullptr) {
      std::memcpy(to, from, std::min(bytes, tag.bytes));
      free_memory(from);
    }
  }
  if (!pooled_) return to;
  if (to == nullptr)
    give_back(more);
  else if (bytes < tag.bytes)
    give_back(tag.bytes - bytes);
  return to;
}

void* Allocator::reallocate(void* from, size_t bytes) noexcept {
  if (&owner_of(from) == this)
    if (void* const resized = resize(from, bytes)) return resized;
  void* const to = allocate(bytes, 1, Fill::kNone);
  if (to == nullptr) return nullptr;
  std::memcpy(to, from, std::min(bytes, tag_of(from).bytes));
  release(from);
  return to;
}

Allocator* find_other(Handle handle) {
  if (handle == kNullHandle) return nullptr;
  if (handle >= kFirstOfLlvm && handle <= kLastOfLlvm) return &of_llvm[handle - kFirstOfLlvm];
  if (handle == kPinnedOfGcc) return &pinned_of_gcc;
  if (handle == kManagedOfGcc) return &managed_of_gcc;
  if (handle % alignof(Allocator) != 0)
    die("the program uses the allocator %#zx, which omp_init_allocator() has not returned",
        static_cast<size_t>(handle));
  return reinterpret_cast<Allocator*>(handle);
}

Allocator* make(const Description& description) {
  return new (std::nothrow) Allocator(description);
}

void destroy(Allocator* allocator) noexcept {
  if (allocator != nullptr && allocator->handle() == reinterpret_cast<Handle>(allocator))
    delete allocator;
}

// The count falls after the memory is free, so that a pool never has more than its size.
void release_other(void* block) noexcept {
  const Tag tag = tag_of(block);
  Allocator& owner = owner_of(block);
  if ((tag.owner & kBits) == kPooled) [[likely]]
    std::free(&tag_of(block));
  else
    free_memory(block);
  if ((tag.owner & kPooled) != 0) owner.give_back(tag.bytes);
}

}  // namespace vicino::memory
