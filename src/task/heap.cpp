#include "task/heap.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cstdlib>
#include <new>

#include "base/say.hpp"

namespace vicino::task {

namespace {

// The system gets the pages that the block has to itself; their contents are lost. Its first words
// stay: they are the free list's, and a thief may read what the record was.
void release_pages(void* block, size_t bytes) noexcept {
  constexpr size_t kHead = 256;
  const auto page = static_cast<uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto begin = reinterpret_cast<uintptr_t>(block);
  const uintptr_t first = (begin + kHead + page - 1) & ~(page - 1),
                  end = (begin + bytes) & ~(page - 1);
  if (first < end) madvise(reinterpret_cast<void*>(first), end - first, MADV_DONTNEED);
}

}  // namespace

Heap::~Heap() {
  for (void* slab : slabs_) free(slab);
}

// Class 16 + 4 d + q has (5 + q) / 4 times 1024 << d bytes.
uint32_t Heap::large_class_of(size_t bytes) {
  const auto doublings = static_cast<uint32_t>(std::bit_width((bytes - 1) / kSmall)) - 1;
  const size_t step = kSmall << doublings >> 2;
  const auto quarters = static_cast<uint32_t>((bytes - 1) / step) - 4;
  return kSmallClasses + 4 * doublings + quarters;
}

size_t Heap::large_bytes_of(uint32_t size_class) {
  const uint32_t large = size_class - kSmallClasses;
  return (kSmall << large / 4 >> 2) * (5 + large % 4);
}

void* Heap::refill(uint32_t size_class) {
  take_returned();
  if (Block* block = free_[size_class]) {
    free_[size_class] = block->next;
    return block;
  }
  return carve(rest_, bytes_of(size_class), kSlab);
}

void* Heap::take_large(size_t bytes, Origin& origin) {
  const uint32_t c = large_class_of(bytes);
  origin = {nullptr, c};
  take_returned();
  if (Block* block = free_[c]) {
    free_[c] = block->next;
    if (block->is_kept) kept_ -= large_bytes_of(c);
    return block;
  }
  void* const memory = carve(large_rest_, sizeof(Large) + large_bytes_of(c), kLargeSlab);
  return new (memory) Large{this} + 1;
}

void Heap::take_returned() noexcept {
  if (returned_.load(std::memory_order_relaxed) == nullptr) return;
  Block* all = returned_.exchange(nullptr, std::memory_order_acquire);  // M2, I2
  size_t large_bytes = 0;
  while (all != nullptr) {
    Block* const block = all;
    all = block->next;
    if (block->size_class >= kSmallClasses) large_bytes += large_bytes_of(block->size_class);
    keep(block, block->size_class);
  }
  if (large_bytes > 0) returned_bytes_.fetch_sub(large_bytes, std::memory_order_relaxed);  // M3
}

void Heap::keep(Block* block, uint32_t size_class) noexcept {
  block->next = free_[size_class];
  free_[size_class] = block;
  if (size_class < kSmallClasses) return;
  const size_t bytes = large_bytes_of(size_class);
  block->is_kept = kept_ + bytes <= kMostKept;
  if (block->is_kept)
    kept_ += bytes;
  else
    release_pages(block, bytes);
}

void* Heap::carve(Rest& rest, size_t bytes, size_t slab) {
  if (static_cast<size_t>(rest.end - rest.at) < bytes) {
    rest.at = static_cast<char*>(aligned_alloc(kSlab, slab));
    if (rest.at == nullptr) die("out of memory for explicit tasks");
    rest.end = rest.at + slab;
    slabs_.push_back(rest.at);
  }
  void* const block = rest.at;
  rest.at += bytes;
  return block;
}

void Heap::give_away(Block* block, Origin origin) noexcept {
  if (origin.heap == nullptr) {
    origin.heap = large(block).heap;
    if (origin.heap == this) return keep(block, origin.size_class);
  }
  if (bundle_.first != nullptr && bundle_.heap != origin.heap) return_bundle();
  if (bundle_.first == nullptr) {
    bundle_.heap = origin.heap;
    bundle_.last = block;
  }
  if (origin.size_class >= kSmallClasses) bundle_.large_bytes += large_bytes_of(origin.size_class);
  block->size_class = origin.size_class;
  block->next = bundle_.first;
  bundle_.first = block;
  if (++bundle_.size == kBundle) return_bundle();
}

void Heap::return_bundle() noexcept {
  if (const size_t bytes = bundle_.large_bytes; bytes > 0) {
    plat::atomic<size_t>& sum = bundle_.heap->returned_bytes_;
    if (sum.fetch_add(bytes, std::memory_order_relaxed) + bytes > kMostKept)  // M3
      for (Block* block = bundle_.first;; block = block->next) {
        if (block->size_class >= kSmallClasses)
          release_pages(block, large_bytes_of(block->size_class));
        if (block == bundle_.last) break;
      }
  }
  plat::atomic<Block*>& to = bundle_.heap->returned_;
  Block* have = to.load(std::memory_order_relaxed);
  do bundle_.last->next = have;
  while (!to.compare_exchange_weak(have, bundle_.first, std::memory_order_release,  // M1
                                   std::memory_order_relaxed));
  bundle_ = {};
}

}  // namespace vicino::task
