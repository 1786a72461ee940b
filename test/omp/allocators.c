// OpenMP's allocation routines with every predefined allocator: memory is usable, aligned, zero where
// it has to be, and keeps its contents when it is resized; and the default allocator is a task's own.
// test: peer clang-19 libomp 19 crashes where it has no memory that it could set to zero
#include <omp.h>
#include <stdint.h>

#include "check.h"

static const omp_allocator_handle_t kPredefined[] = {
    omp_null_allocator,   omp_default_mem_alloc, omp_large_cap_mem_alloc,
    omp_const_mem_alloc,  omp_high_bw_mem_alloc, omp_low_lat_mem_alloc,
    omp_cgroup_mem_alloc, omp_pteam_mem_alloc,   omp_thread_mem_alloc};
enum { kAllocators = sizeof kPredefined / sizeof *kPredefined };

static int is_aligned(const void* block, size_t alignment) {
  return (uintptr_t)block % alignment == 0;
}

static int all_are(const unsigned char* bytes, size_t count, unsigned char value) {
  for (size_t i = 0; i < count; ++i)
    if (bytes[i] != value) return 0;
  return 1;
}

static void check_allocator(omp_allocator_handle_t allocator, unsigned char mark) {
  static const size_t kSizes[] = {1, 24, 64, 1000, 4096, 70000};
  for (unsigned s = 0; s < sizeof kSizes / sizeof *kSizes; ++s) {
    const size_t size = kSizes[s];
    unsigned char* block = omp_alloc(size, allocator);
    CHECK(block != NULL && is_aligned(block, sizeof(void*)));
    memset(block, mark, size);
    unsigned char* zeros = omp_calloc(size, 2, allocator);
    CHECK(zeros != NULL && all_are(zeros, 2 * size, 0));
    memset(zeros, mark, 2 * size);
    block = omp_realloc(block, size + 5000, allocator, allocator);
    CHECK(block != NULL && all_are(block, size, mark));
    memset(block, mark, size + 5000);
    block = omp_realloc(block, size / 2 + 1, allocator, omp_null_allocator);
    CHECK(block != NULL && all_are(block, size / 2 + 1, mark));
    CHECK(all_are(zeros, 2 * size, mark));
    omp_free(zeros, allocator);
    omp_free(block, s % 2 ? allocator : omp_null_allocator);
  }
  for (size_t alignment = 1; alignment <= 1 << 14; alignment *= 4) {
    unsigned char* block = omp_aligned_alloc(alignment, 4 * alignment, allocator);
    CHECK(block != NULL && is_aligned(block, alignment));
    memset(block, mark, 4 * alignment);
    unsigned char* zeros = omp_aligned_calloc(alignment, 2, alignment, allocator);
    CHECK(zeros != NULL && is_aligned(zeros, alignment) && all_are(zeros, 2 * alignment, 0));
    block = omp_realloc(block, 9 * alignment, allocator, allocator);
    CHECK(block != NULL && all_are(block, 4 * alignment, mark));
    omp_free(zeros, omp_null_allocator);
    omp_free(block, allocator);
  }
}

static void check_nothing(void) {
  CHECK(omp_alloc(0, omp_default_mem_alloc) == NULL);
  CHECK(omp_calloc(0, 8, omp_default_mem_alloc) == NULL);
  CHECK(omp_calloc(8, 0, omp_default_mem_alloc) == NULL);
  volatile size_t most = SIZE_MAX / 2;
  CHECK(omp_calloc(most, 4, omp_default_mem_alloc) == NULL);
  CHECK(omp_alloc(most, omp_default_mem_alloc) == NULL);
  CHECK(omp_alloc(most, omp_high_bw_mem_alloc) == NULL);
  char* block = omp_realloc(NULL, 100, omp_default_mem_alloc, omp_null_allocator);
  CHECK(block != NULL);
  memset(block, 1, 100);
  CHECK(omp_realloc(block, 0, omp_default_mem_alloc, omp_default_mem_alloc) == NULL);
  omp_free(NULL, omp_default_mem_alloc);
}

static void check_default_allocator(void) {
  CHECK(omp_get_default_allocator() == omp_default_mem_alloc);
  omp_set_default_allocator(omp_const_mem_alloc);
#pragma omp parallel
  {
    CHECK(omp_get_default_allocator() == omp_const_mem_alloc);
    const omp_allocator_handle_t mine =
        omp_get_thread_num() % 2 ? omp_pteam_mem_alloc : omp_cgroup_mem_alloc;
    omp_set_default_allocator(mine);
#pragma omp barrier
    CHECK(omp_get_default_allocator() == mine);
  }
  CHECK(omp_get_default_allocator() == omp_const_mem_alloc);
  omp_set_default_allocator(omp_default_mem_alloc);
}

int main(void) {
  for (int a = 0; a < kAllocators; ++a) check_allocator(kPredefined[a], (unsigned char)(a + 1));
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (int a = me % 2; a < kAllocators; a += 2)
      check_allocator(kPredefined[a], (unsigned char)(me + 1));
  }
  check_nothing();
  check_default_allocator();
  // A block may be freed by another thread than the one that got it.
  void* blocks[64] = {0};
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < 64; ++i) blocks[i] = omp_alloc(100 * (size_t)i + 1, kPredefined[i % 9]);
#pragma omp parallel for schedule(dynamic, 1)
  for (int i = 0; i < 64; ++i) omp_free(blocks[63 - i], omp_null_allocator);
  return check_result();
}
