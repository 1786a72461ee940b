// block.hpp: how a block of an allocator lies in memory.
//
//   plain      [tag][block]                 of malloc(), with its alignment
//   shifted    [...][start][tag][block]     what begins at `start` was got for it: by malloc(), with
//                                           a larger alignment, or as pages
#pragma once

#include <cstddef>
#include <cstdint>

namespace vicino::memory {

// What malloc() guarantees.
inline constexpr size_t kMallocAlignment = 16;

struct Tag {
  uintptr_t owner;  // the allocator's address, and the bits below
  size_t bytes;     // as the program asked for them
};
static_assert(sizeof(Tag) == kMallocAlignment);

// The bits of Tag::owner: it is shifted, it has pages of its own, it counts in its allocator's pool.
inline constexpr uintptr_t kShifted = 1, kPages = 2, kPooled = 4;
inline constexpr uintptr_t kBits = kShifted | kPages | kPooled;

inline constexpr size_t kShiftedHead = sizeof(void*) + sizeof(Tag);
// No block may be larger; with an alignment and a head as well, no sum overflows.
inline constexpr size_t kMost = PTRDIFF_MAX / 4;

inline Tag& tag_of(void* block) noexcept { return static_cast<Tag*>(block)[-1]; }

inline void* plain_block(void* start, uintptr_t owner, size_t bytes) noexcept {
  auto* const tag = static_cast<Tag*>(start);
  *tag = {owner, bytes};
  return tag + 1;
}

// A block in memory of at least kShiftedHead + alignment + bytes that begins at `start`.
inline void* shifted_block(void* start, size_t alignment, uintptr_t owner, size_t bytes) noexcept {
  char* const least = static_cast<char*>(start) + kShiftedHead;
  const size_t beyond = reinterpret_cast<uintptr_t>(least) & (alignment - 1);
  void* const block = least + ((alignment - beyond) & (alignment - 1));
  tag_of(block) = {owner | kShifted, bytes};
  reinterpret_cast<void**>(&tag_of(block))[-1] = start;
  return block;
}

inline void* start_of(void* block) noexcept {
  Tag& tag = tag_of(block);
  return (tag.owner & kShifted) != 0 ? reinterpret_cast<void**>(&tag)[-1] : &tag;
}

}  // namespace vicino::memory
