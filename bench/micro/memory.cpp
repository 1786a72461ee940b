// memory.cpp: OpenMP's allocation routines. One operation is a block that a thread gets, writes and
// gives back; each thread has its own, and operations are counted per thread.
//
// The routines are looked up by name, because gcc would ask for versions of them that libomp does
// not have, and then the whole program could not be started on libomp.
#include <dlfcn.h>
#include <omp.h>

#include "construct.hpp"

namespace bench {
namespace {

template <class Routine>
Routine* look_up(const char* name, Routine*) {
  return reinterpret_cast<Routine*>(dlsym(RTLD_DEFAULT, name));
}
#define BENCH_ROUTINE(name) look_up(#name, static_cast<decltype(&::name)>(nullptr))

omp_allocator_handle_t pool_of(size_t bytes) {
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, bytes}, {omp_atk_fallback, omp_atv_null_fb}};
  return BENCH_ROUTINE(omp_init_allocator)(omp_default_mem_space, 2, traits);
}

// The first bytes of the block are written, as by any program that needs it.
template <size_t kBytes>
bool blocks_of(omp_allocator_handle_t allocator, long ops, int threads) {
  Tally tally;
  const auto allocate = BENCH_ROUTINE(omp_alloc);
  const auto release = BENCH_ROUTINE(omp_free);
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (long i = 0; i < ops; ++i) {
      auto* block = static_cast<long*>(allocate(kBytes, allocator));
      if (block == nullptr) continue;
      *block = i;
      keep(block);
      if (*block == i) tally.add(me);
      release(block, allocator);
    }
  }
  return tally.each_is(ops, threads);
}

bool alloc_64(long ops, int threads) { return blocks_of<64>(omp_default_mem_alloc, ops, threads); }
bool alloc_4096(long ops, int threads) {
  return blocks_of<4096>(omp_default_mem_alloc, ops, threads);
}
bool alloc_pool(long ops, int threads) {
  const omp_allocator_handle_t pool = pool_of(1 << 20);
  const bool right = blocks_of<64>(pool, ops, threads);
  BENCH_ROUTINE(omp_destroy_allocator)(pool);
  return right;
}

constexpr Construct kFamily[] = {
    {"alloc_64", "omp_alloc and omp_free of 64 bytes", alloc_64},
    {"alloc_4096", "omp_alloc and omp_free of 4096 bytes", alloc_4096},
    {"alloc_pool", "omp_alloc and omp_free of 64 bytes of a pool", alloc_pool},
};

}  // namespace

std::span<const Construct> memory_family() { return kFamily; }

}  // namespace bench
