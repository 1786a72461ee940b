// The traits of an allocator that omp_init_allocator() makes: alignment, the fallbacks, pinned, the
// partitions, and those that are only hints.
// test: peer gcc-12 libgomp-12 has no pinned memory, and makes no allocator that asks for it
// test: peer clang-19 libomp fails an assertion of its own for an alignment of 24
#include <omp.h>
#include <stdint.h>

#include "check.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const omp_memspace_handle_t kSpaces[] = {omp_default_mem_space, omp_large_cap_mem_space,
                                                omp_const_mem_space, omp_high_bw_mem_space,
                                                omp_low_lat_mem_space};

static const omp_uintptr_t kAccesses[] = {omp_atv_all, omp_atv_thread, omp_atv_pteam,
                                          omp_atv_cgroup};

static void check_use(omp_allocator_handle_t allocator, size_t alignment) {
  static const size_t kSizes[] = {1, 100, 5000, 300000};
  for (unsigned s = 0; s < COUNT(kSizes); ++s) {
    const size_t size = kSizes[s];
    unsigned char* block = omp_alloc(size, allocator);
    CHECK(block != NULL && (uintptr_t)block % alignment == 0);
    for (size_t i = 0; i < size; ++i) block[i] = (unsigned char)i;
    block = omp_realloc(block, 3 * size, omp_null_allocator, omp_null_allocator);
    CHECK(block != NULL && (uintptr_t)block % alignment == 0);
    for (size_t i = 0; i < size; ++i) CHECK_EQ(block[i], (unsigned char)i);
    memset(block, 7, 3 * size);
    unsigned char* zeros = omp_aligned_calloc(2 * alignment, 1, size, allocator);
    CHECK(zeros != NULL && (uintptr_t)zeros % (2 * alignment) == 0);
    for (size_t i = 0; i < size; ++i) CHECK_EQ(zeros[i], 0);
    omp_free(zeros, allocator);
    omp_free(block, allocator);
  }
}

static void check_every_word(void) {
  for (unsigned s = 0; s < COUNT(kSpaces); ++s)
    for (uintptr_t partition = omp_atv_environment; partition <= omp_atv_interleaved; ++partition)
      for (int pinned = 0; pinned < 2; ++pinned)
        for (size_t alignment = 8; alignment <= 8192; alignment *= 32) {
          omp_alloctrait_t traits[] = {{omp_atk_sync_hint, omp_atv_contended + s % 4},
                                       {omp_atk_alignment, alignment},
                                       {omp_atk_access, kAccesses[s % COUNT(kAccesses)]},
                                       {omp_atk_pinned, (omp_uintptr_t)pinned},
                                       {omp_atk_partition, partition}};
          const omp_allocator_handle_t made = omp_init_allocator(kSpaces[s], COUNT(traits), traits);
          CHECK(made != omp_null_allocator);
          check_use(made, alignment);
          omp_destroy_allocator(made);
        }
}

static omp_allocator_handle_t pool_of(size_t bytes, omp_uintptr_t fallback,
                                      omp_allocator_handle_t next) {
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, bytes},
                               {omp_atk_fallback, fallback},
                               {omp_atk_fb_data, (omp_uintptr_t)next}};
  return omp_init_allocator(omp_default_mem_space, fallback == omp_atv_allocator_fb ? 3 : 2,
                            traits);
}

static void check_fallbacks(void) {
  const omp_allocator_handle_t last = pool_of(4096, omp_atv_null_fb, omp_null_allocator);
  const omp_allocator_handle_t first = pool_of(1024, omp_atv_allocator_fb, last);
  void* const from_last = omp_alloc(2000, first);  // too large for the first
  CHECK(from_last != NULL);
  void* const from_first = omp_alloc(600, first);
  CHECK(from_first != NULL);
  CHECK(omp_alloc(3000, first) == NULL);
  // A freed block goes back to the pool that gave it.
  omp_free(from_last, first);
  void* const again = omp_alloc(3000, first);
  CHECK(again != NULL);
  omp_free(from_first, first);
  omp_free(again, omp_null_allocator);
  omp_destroy_allocator(first);
  omp_destroy_allocator(last);
  const omp_allocator_handle_t small = pool_of(1024, omp_atv_default_mem_fb, omp_null_allocator);
  void* const large = omp_alloc(100000, small);
  CHECK(large != NULL);
  memset(large, 1, 100000);
  omp_free(large, small);
  omp_destroy_allocator(small);
}

static void check_as_default(void) {
  const omp_allocator_handle_t pool = pool_of(2048, omp_atv_null_fb, omp_null_allocator);
  omp_set_default_allocator(pool);
  CHECK(omp_get_default_allocator() == pool);
  CHECK(omp_alloc(4096, omp_null_allocator) == NULL);
  void* const block = omp_alloc(1024, omp_null_allocator);
  CHECK(block != NULL);
#pragma omp parallel
  {
    CHECK(omp_get_default_allocator() == pool);
    CHECK(omp_alloc(1500, omp_null_allocator) == NULL);
  }
  omp_free(block, omp_null_allocator);
  omp_set_default_allocator(omp_default_mem_alloc);
  omp_destroy_allocator(pool);
}

int main(void) {
  check_every_word();
  check_fallbacks();
  check_as_default();
  omp_alloctrait_t by_default[] = {
      {omp_atk_sync_hint, omp_atv_default}, {omp_atk_alignment, omp_atv_default},
      {omp_atk_access, omp_atv_default},    {omp_atk_pool_size, omp_atv_default},
      {omp_atk_fallback, omp_atv_default},  {omp_atk_pinned, omp_atv_default},
      {omp_atk_partition, omp_atv_default}};
  const omp_allocator_handle_t made =
      omp_init_allocator(omp_default_mem_space, COUNT(by_default), by_default);
  CHECK(made != omp_null_allocator);
  check_use(made, 8);
  omp_destroy_allocator(made);
  omp_alloctrait_t odd[] = {{omp_atk_alignment, 24}};
  CHECK(omp_init_allocator(omp_default_mem_space, 1, odd) == omp_null_allocator);
  omp_destroy_allocator(omp_null_allocator);
  return check_result();
}
