// memory.cpp: memory for variables in allocate clauses and directives of gcc and gfortran. Compiled
// code uses it without looking whether there is any.
#include "abi/omp/memory.hpp"

#include <unordered_set>

#include "abi/api.hpp"
#include "base/say.hpp"
#include "sync/cold.hpp"

using namespace vicino;

namespace {

// Scalars that gfortran has allocated by GOMP_alloc(). Whether such a scalar came from there or
// from malloc() is known at run time only, since procedures pass it on, and each of them may free
// it or allocate it anew. The set is never destroyed: threads may use it while the process exits.
//
// The caller holds Cold: fork() leaves the set whole. Where two threads did nothing but add and take out on two
// cores, a pair of calls took 57 ns instead of the 33 of 32 parts with a lock each, and 45 with 16 threads.
std::unordered_set<const void*>& allocated_scalars() {
  static auto& all = *new std::unordered_set<const void*>;
  return all;
}

void add_scalar(const void* block) {
  const sync::Cold cold;
  allocated_scalars().insert(block);
}
// Whether the block was there.
bool take_out_scalar(const void* block) noexcept {
  const sync::Cold cold;
  return allocated_scalars().erase(block) != 0;
}

}  // namespace

VICINO_API void* GOMP_alloc(size_t alignment, size_t bytes, memory::Handle handle) {
  void* const block = abi::allocate(alignment, bytes, handle);
  if (block == nullptr && bytes > 0)
    die("out of memory: a variable with an allocate clause needs %zu bytes", bytes);
  return block;
}
VICINO_API void GOMP_free(void* block, memory::Handle) { memory::release(block); }

// gfortran calls the first when GOMP_alloc() has given a scalar its memory, and asks the second
// before it frees the scalar or changes its size; after that the block is known no more.
VICINO_API void GOMP_add_alloc(const void* block) {
  if (block == nullptr) return;
  if (abi::answer([&] { return add_scalar(block), 0; }) != 0)
    die("out of memory: nothing can be kept about a variable with an allocate directive");
}
VICINO_API bool GOMP_is_alloc(const void* block) {
  return block != nullptr && take_out_scalar(block);
}
