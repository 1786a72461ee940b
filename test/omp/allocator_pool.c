// The pool of an allocator holds as many bytes as its trait says, not one more and not one less,
// however many threads ask at once; and what is freed can be had again.
// test: peer gcc-12 libgomp takes the room for its own heads from the pool
// test: peer clang-19 libomp refuses requests that would fit while other threads ask
#include <omp.h>

#include "check.h"

enum { kBlock = 64, kBlocks = 5000, kRounds = 20 };

static omp_allocator_handle_t make(size_t pool) {
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, pool}, {omp_atk_fallback, omp_atv_null_fb}};
  return omp_init_allocator(omp_default_mem_space, 2, traits);
}

int main(void) {
  const omp_allocator_handle_t pool = make((size_t)kBlock * kBlocks);
  CHECK(pool != omp_null_allocator);
  if (pool == omp_null_allocator) return check_result();
  static void* blocks[kBlocks];
  for (int round = 0; round < kRounds; ++round) {
    int got = 0;
#pragma omp parallel
    {
      void* block;
      while ((block = omp_alloc(kBlock, pool)) != NULL) {
        memset(block, 1, kBlock);
        int mine;
#pragma omp atomic capture
        mine = got++;
        if (mine >= kBlocks) break;  // a pool without an end would take all memory
        blocks[mine] = block;
      }
    }
    CHECK_EQ(got, kBlocks);
    CHECK(omp_alloc(1, pool) == NULL);
    // There is room for one block, and each request is for more than half of one: only one thread can
    // have a block at a time.
    omp_free(blocks[--got], pool);
    int inside = 0, together = 0;
#pragma omp parallel for
    for (int i = 0; i < 1000; ++i) {
      void* const block = omp_alloc(kBlock / 2 + 1, pool);
      if (block == NULL) continue;
      int before;
#pragma omp atomic capture
      before = inside++;
      if (before != 0) {
#pragma omp atomic
        ++together;
      }
#pragma omp atomic
      --inside;
      omp_free(block, pool);
    }
    CHECK_EQ(together, 0);
#pragma omp parallel for
    for (int i = 0; i < got; ++i) omp_free(blocks[i], i % 2 ? pool : omp_null_allocator);
    void* const all = omp_aligned_alloc(4096, (size_t)kBlock * kBlocks, pool);
    CHECK(all != NULL);
    CHECK(omp_alloc(1, pool) == NULL);
    omp_free(all, pool);
  }
  // A request fails only where there is no room: a thread whose request is too large does not spoil
  // the others' requests.
  int refused = 0;
#pragma omp parallel for
  for (int i = 0; i < 20000; ++i) {
    void* const block =
        omp_alloc(omp_get_thread_num() == 0 ? (size_t)kBlock * kBlocks + 1 : kBlock, pool);
    if (block == NULL && omp_get_thread_num() != 0) {
#pragma omp atomic
      ++refused;
    }
    omp_free(block, pool);
  }
  CHECK_EQ(refused, 0);
  omp_destroy_allocator(pool);
  return check_result();
}
