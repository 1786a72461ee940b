// memory.cpp: memory that compiled code asks for, for example for an omp_depend_t. Only the
// predefined allocators exist; they differ in where memory should lie, not in its kind.
#include <stdint.h>
#include <stdlib.h>

#include "abi/api.hpp"
#include "base/say.hpp"

using namespace vicino;

VICINO_API void* __kmpc_alloc(int32_t, size_t bytes, void*) {
  void* const memory = malloc(bytes);
  if (memory == nullptr && bytes > 0) die("out of memory: the program asked for %zu bytes", bytes);
  return memory;
}
VICINO_API void __kmpc_free(int32_t, void* memory, void*) { free(memory); }
