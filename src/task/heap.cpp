#include "task/heap.hpp"

#include <cstdlib>

#include "base/say.hpp"

namespace vicino::task {

Heap::~Heap() {
  for (void* slab : slabs_) free(slab);
}

void* Heap::refill(uint32_t size_class) {
  Block* all = returned_.load(std::memory_order_relaxed) == nullptr
                   ? nullptr
                   : returned_.exchange(nullptr, std::memory_order_acquire);  // M2, I2
  while (all != nullptr) {
    Block* const block = all;
    all = block->next;
    block->next = free_[block->size_class];
    free_[block->size_class] = block;
  }
  if (Block* block = free_[size_class]) {
    free_[size_class] = block->next;
    return block;
  }
  return carve(bytes_of(size_class));
}

void* Heap::carve(size_t bytes) {
  if (static_cast<size_t>(end_ - at_) < bytes) {
    at_ = static_cast<char*>(aligned_alloc(kSlab, kSlab));
    if (at_ == nullptr) die("out of memory for explicit tasks");
    end_ = at_ + kSlab;
    slabs_.push_back(at_);
  }
  void* const block = at_;
  at_ += bytes;
  return block;
}

void Heap::give_away(Block* block, Origin origin) noexcept {
  if (bundle_.first != nullptr && bundle_.heap != origin.heap) return_bundle();
  if (bundle_.first == nullptr) {
    bundle_.heap = origin.heap;
    bundle_.last = block;
  }
  block->size_class = origin.size_class;
  block->next = bundle_.first;
  bundle_.first = block;
  if (++bundle_.size == kBundle) return_bundle();
}

void Heap::return_bundle() noexcept {
  plat::atomic<Block*>& to = bundle_.heap->returned_;
  Block* have = to.load(std::memory_order_relaxed);
  do bundle_.last->next = have;
  while (!to.compare_exchange_weak(have, bundle_.first, std::memory_order_release,  // M1
                                   std::memory_order_relaxed));
  bundle_ = {};
}

}  // namespace vicino::task
