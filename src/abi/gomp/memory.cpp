// memory.cpp: memory for variables in allocate clauses of gcc and gfortran. Compiled code uses it
// without looking whether there is any.
#include "abi/omp/memory.hpp"

#include <stdint.h>

#include "abi/api.hpp"
#include "base/say.hpp"

using namespace vicino;

VICINO_API void* GOMP_alloc(size_t alignment, size_t bytes, memory::Handle handle) {
  void* const block = abi::allocate(alignment, bytes, handle);
  if (block == nullptr && bytes > 0)
    die("out of memory: a variable with an allocate clause needs %zu bytes", bytes);
  return block;
}
VICINO_API void GOMP_free(void* block, memory::Handle) { memory::release(block); }
