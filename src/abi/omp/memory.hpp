// memory.hpp: OpenMP's allocators as both ABIs call them. gcc and clang give the predefined
// allocators, the memory spaces and the traits numbers that do not contradict each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "memory/allocator.hpp"

namespace vicino::abi {

// omp_alloctrait_t
struct Trait {
  int key;
  uintptr_t value;
};

// omp_init_allocator(): the null handle, after a message, if a trait is not valid.
memory::Handle init_allocator(uintptr_t space, int64_t count, const Trait* traits);

// Whether omp_init_allocator() takes the number for a memory space.
bool is_space(uintptr_t number);
// The predefined allocator of a memory space; the null handle if it is none.
memory::Handle predefined_allocator(uintptr_t space);

memory::Handle get_default_allocator();
void set_default_allocator(memory::Handle handle);

// omp_aligned_alloc(): the null handle stands for the default allocator of the present task.
void* allocate(size_t alignment, size_t bytes, memory::Handle handle);
// omp_aligned_calloc()
void* allocate_zeros(size_t alignment, size_t count, size_t bytes, memory::Handle handle);
// omp_realloc(): the null handle stands for the allocator that gave the block. The block's tag says
// which one that is, so no caller has to say what to free it with.
void* reallocate(void* block, size_t bytes, memory::Handle handle, memory::Handle free_handle);

}  // namespace vicino::abi
