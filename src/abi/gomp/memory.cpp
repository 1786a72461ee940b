// memory.cpp: memory for variables in allocate clauses and directives of gcc and gfortran. Compiled
// code uses it without looking whether there is any.
#include "abi/omp/memory.hpp"

#include <stdint.h>

#include <array>
#include <unordered_set>

#include "abi/api.hpp"
#include "base/say.hpp"
#include "region/constructs.hpp"

using namespace vicino;

namespace {

// Scalars that gfortran has allocated by GOMP_alloc(). Whether such a scalar came from there or
// from malloc() is known at run time only, since procedures pass it on, and each of them may free
// it or allocate it anew.
//
// The set is divided by address, each part with a lock of its own, so that threads that allocate
// scalars rarely wait for each other. It is never destroyed: threads may use it while the process
// exits.
class AllocatedScalars {
 public:
  static AllocatedScalars& all() {
    static auto* const scalars = new AllocatedScalars;
    return *scalars;
  }
  void add(const void* block) {
    Part& part = part_of(block);
    const Held held(part.lock);
    part.blocks.insert(block);
  }
  // Whether the block was there.
  bool take_out(const void* block) noexcept {
    Part& part = part_of(block);
    const Held held(part.lock);
    return part.blocks.erase(block) != 0;
  }

 private:
  struct Part {
    region::GlobalLock lock;
    std::unordered_set<const void*> blocks;
  };
  class Held {
   public:
    explicit Held(region::GlobalLock& lock) noexcept : lock_(lock) { region::take(lock_); }
    ~Held() { lock_.release(); }
    Held(const Held&) = delete;

   private:
    region::GlobalLock& lock_;
  };
  // Neighbouring blocks of the C library's heap lie in different parts.
  Part& part_of(const void* block) noexcept {
    return parts_[reinterpret_cast<uintptr_t>(block) / memory::kMallocAlignment % parts_.size()];
  }

  std::array<Part, 32> parts_;
};

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
  if (abi::answer([&] { return AllocatedScalars::all().add(block), 0; }) != 0)
    die("out of memory: nothing can be kept about a variable with an allocate directive");
}
VICINO_API bool GOMP_is_alloc(const void* block) {
  return block != nullptr && AllocatedScalars::all().take_out(block);
}
