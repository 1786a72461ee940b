// memory.cpp: memory that clang's code asks for: for variables in allocate clauses and directives,
// and for an omp_depend_t.
#include "abi/omp/memory.hpp"

#include <stdint.h>

#include "abi/api.hpp"

using namespace vicino;
using memory::Handle;

VICINO_API Handle __kmpc_init_allocator(int32_t, uintptr_t space, int count,
                                        const abi::Trait* traits) {
  return abi::init_allocator(space, count, traits);
}
VICINO_API void __kmpc_destroy_allocator(int32_t, Handle handle) {
  memory::destroy(memory::find(handle));
}
VICINO_API void __kmpc_set_default_allocator(int32_t, Handle handle) {
  abi::set_default_allocator(handle);
}
VICINO_API Handle __kmpc_get_default_allocator(int32_t) { return abi::get_default_allocator(); }

VICINO_API void* __kmpc_alloc(int32_t, size_t bytes, Handle handle) {
  return abi::allocate(1, bytes, handle);
}
VICINO_API void* __kmpc_aligned_alloc(int32_t, size_t alignment, size_t bytes, Handle handle) {
  return abi::allocate(alignment, bytes, handle);
}
VICINO_API void* __kmpc_calloc(int32_t, size_t count, size_t bytes, Handle handle) {
  return abi::allocate_zeros(1, count, bytes, handle);
}
VICINO_API void* __kmpc_realloc(int32_t, void* block, size_t bytes, Handle handle,
                                Handle free_handle) {
  return abi::reallocate(block, bytes, handle, free_handle);
}
VICINO_API void __kmpc_free(int32_t, void* block, Handle) { memory::release(block); }
