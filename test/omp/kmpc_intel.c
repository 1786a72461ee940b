// What only Intel's compilers and programs call, besides atomic constructs (kmpc_atomics_quad.cpp).
// test: uses clang-19 threads=2,4
// test: peer clang-19 libomp 19 has no such entry points
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "check.h"

#define WEAK __attribute__((weak))
int __kmpc_global_thread_num(void* where);
WEAK void __kmpc_flush_explicit(void* where, int order, int scope);
WEAK uint64_t __kmpc_get_timestamp(void);
WEAK void __kmpc_dist_for_static_init_4(void* where, int gtid, int schedule, int* last, int* lower,
                                        int* upper, int* upper_of_team, int* stride, int step,
                                        int chunk);
WEAK void __kmpc_dist_for_static_fini(void* where, int gtid);
WEAK int omp_target_memcpy_async_(void* to, const void* from, size_t length, size_t to_offset,
                                  size_t from_offset, int to_device, int from_device, int count,
                                  void** objects);
WEAK int omp_target_memcpy_rect_async_(void* to, const void* from, size_t element, int dimensions,
                                       const size_t* volume, const size_t* to_offsets,
                                       const size_t* from_offsets, const size_t* to_sizes,
                                       const size_t* from_sizes, int to_device, int from_device,
                                       int count, void** objects);
WEAK void* ompx_get_dyn_cgroup_mem(void);
WEAK void kmp_compose_init(void);
WEAK extern const int _You_must_link_with_Intel_OpenMP_library;
WEAK extern const int _You_must_link_with_exactly_one_OpenMP_library;

// Each thread writes one word and then reads the other's: without a full fence between the two,
// both may read what was there before.
static void check_flush(void) {
  enum { kRounds = 20000, kSequential = 5 };
  static _Alignas(64) int words[2][16];
  int seen[2] = {0}, lost = 0;
#pragma omp parallel num_threads(2)
  for (int round = 1; round <= kRounds; ++round) {
    const int me = omp_get_thread_num();
#pragma omp barrier
    __atomic_store_n(&words[me][0], round, __ATOMIC_RELAXED);
    __kmpc_flush_explicit(NULL, kSequential, 0);
    seen[me] = __atomic_load_n(&words[1 - me][0], __ATOMIC_RELAXED);
#pragma omp barrier
    if (me == 0) lost += seen[0] != round && seen[1] != round;
  }
  CHECK_EQ(lost, 0);
}

static void check_distribute(void) {
  enum { kStatic = 34, kTrip = 1000 };
  static unsigned char hits[kTrip];
#pragma omp parallel
  {
    const int gtid = __kmpc_global_thread_num(NULL);
    int last = 0, lower = 0, upper = kTrip - 1, upper_of_team, stride;
    __kmpc_dist_for_static_init_4(NULL, gtid, kStatic, &last, &lower, &upper, &upper_of_team,
                                  &stride, 1, 1);
    for (int i = lower; i <= upper; ++i) hit(hits, i);
    __kmpc_dist_for_static_fini(NULL, gtid);
  }
  CHECK_EACH_ONCE(hits, kTrip);
}

static void check_copies(void) {
  int from[4][5], to[4][5] = {{0}}, part[4][5] = {{0}};
  for (int i = 0; i < 20; ++i) from[i / 5][i % 5] = i;
  const int host = omp_get_initial_device();
  const size_t volume[] = {2, 3}, to_offsets[] = {2, 1}, from_offsets[] = {1, 2}, sizes[] = {4, 5};
#pragma omp parallel
#pragma omp single
  {
    CHECK_EQ(omp_target_memcpy_async_(to, from, sizeof to - 4, 4, 0, host, host, 0, NULL), 0);
    CHECK_EQ(omp_target_memcpy_rect_async_(part, from, sizeof(int), 2, volume, to_offsets,
                                           from_offsets, sizes, sizes, host, host, 0, NULL),
             0);
#pragma omp taskwait
  }
  for (int i = 0; i < 20; ++i) {
    const int row = i / 5, column = i % 5;
    CHECK_EQ(to[row][column], i == 0 ? 0 : i - 1);
    const int inside = row >= 2 && column >= 1 && column <= 3;
    CHECK_EQ(part[row][column], inside ? from[row - 1][column + 1] : 0);
  }
}

int main(void) {
  check_flush();
  check_distribute();
  check_copies();
  const uint64_t before = __kmpc_get_timestamp();
  usleep(2000);
  CHECK(__kmpc_get_timestamp() - before >= 2000000);
  CHECK(ompx_get_dyn_cgroup_mem() == NULL);
  kmp_compose_init();
  CHECK(dlsym(RTLD_DEFAULT, "omp_lib._") != NULL);
  CHECK(dlsym(RTLD_DEFAULT, "omp_lib_kinds._") != NULL);
  CHECK_EQ(_You_must_link_with_Intel_OpenMP_library, 1);
  CHECK_EQ(_You_must_link_with_exactly_one_OpenMP_library, 1);
  return check_result();
}
