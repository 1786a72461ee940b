// The routines that flang calls from LLVM 24 on where an argument is integer(8): kmp_x_8 takes it
// by value, kmp_x_8_ by reference; the nearest int counts.
// test: uses clang-19 threads=1,2,7 OMP_PLACES=cores
// test: peer clang-19 libomp 19 has no such routines
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdint.h>

#include "check.h"

#define DECLARE(type, name)                           \
  __attribute__((weak)) type kmp_##name##_8(int64_t); \
  __attribute__((weak)) type kmp_##name##_8_(const int64_t*);
DECLARE(void, set_num_threads)
DECLARE(void, set_max_active_levels)
DECLARE(void, set_default_device)
DECLARE(void, set_num_teams)
DECLARE(void, set_teams_thread_limit)
DECLARE(void, set_stacksize)
DECLARE(void, set_blocktime)
DECLARE(void, set_library)
DECLARE(void, set_disp_num_buffers)
DECLARE(int, get_ancestor_thread_num)
DECLARE(int, get_team_size)
DECLARE(int, get_place_num_procs)
__attribute__((weak)) void kmpc_set_num_threads_8(int64_t);
__attribute__((weak)) void kmp_set_schedule_8(int, int64_t);
__attribute__((weak)) void kmp_set_schedule_8_(const int*, const int64_t*);
__attribute__((weak)) void kmp_get_schedule_8(int*, int64_t*);
__attribute__((weak)) void kmp_get_schedule_8_(int*, int64_t*);
__attribute__((weak)) int kmp_pause_resource_8(int, int64_t);
__attribute__((weak)) int kmp_pause_resource_8_(const int*, const int64_t*);
__attribute__((weak)) void kmp_get_place_proc_ids_8(int64_t, int64_t*);
__attribute__((weak)) void kmp_get_place_proc_ids_8_(const int64_t*, int64_t*);
__attribute__((weak)) void kmp_get_partition_place_nums_8(int64_t*);
__attribute__((weak)) void kmp_get_partition_place_nums_8_(int64_t*);
#define DECLARE_CPU(name)                                                  \
  __attribute__((weak)) int kmp_##name##_8(int64_t, kmp_affinity_mask_t*); \
  __attribute__((weak)) int kmp_##name##_8_(const int64_t*, kmp_affinity_mask_t*);
DECLARE_CPU(set_affinity_mask_proc)
DECLARE_CPU(unset_affinity_mask_proc)
DECLARE_CPU(get_affinity_mask_proc)

// More than an int has, and an int of another value in the lower half.
static const int64_t kTooMany = ((int64_t)1 << 40) + 3, kTooFew = -((int64_t)1 << 40) + 3;

// Both forms of a setter against what a routine then says.
#define CHECK_SET(setter, value, said, want) \
  do {                                       \
    const int64_t by_reference = (value);    \
    kmp_##setter##_8(value);                 \
    CHECK_EQ(said, want);                    \
    reset();                                 \
    kmp_##setter##_8_(&by_reference);        \
    CHECK_EQ(said, want);                    \
    reset();                                 \
  } while (0)

static void reset(void) {
  omp_set_num_threads(2);
  omp_set_max_active_levels(1);
  omp_set_default_device(0);
  omp_set_num_teams(2);
  omp_set_teams_thread_limit(2);
  kmp_set_stacksize_s(1 << 20);
  kmp_set_blocktime(5);
  kmp_set_library(3);
}

static void check_setters(void) {
  reset();
  CHECK_SET(set_num_threads, 5, omp_get_max_threads(), 5);
  CHECK_SET(set_max_active_levels, 4, omp_get_max_active_levels(), 4);
  CHECK_SET(set_default_device, 7, omp_get_default_device(), 7);
  CHECK_SET(set_num_teams, 6, omp_get_max_teams(), 6);
  CHECK_SET(set_teams_thread_limit, 9, omp_get_teams_thread_limit(), 9);
  CHECK_SET(set_stacksize, 3 << 20, kmp_get_stacksize_s(), 3 << 20);
  CHECK_SET(set_blocktime, 35, kmp_get_blocktime(), 35);
  CHECK_SET(set_library, 2, kmp_get_library(), 2);
  kmpc_set_num_threads_8(4);
  CHECK_EQ(omp_get_max_threads(), 4);
  reset();
  CHECK_SET(set_blocktime, kTooMany, kmp_get_blocktime(), INT32_MAX);
  CHECK_SET(set_max_active_levels, kTooFew, omp_get_max_active_levels(), 1);  // negative: ignored
  const int64_t buffers = 9;
  kmp_set_disp_num_buffers_8(buffers);
  kmp_set_disp_num_buffers_8_(&buffers);
}

static void check_schedule(void) {
  for (int by_reference = 0; by_reference < 2; ++by_reference) {
    const int64_t chunk = 11 + by_reference;
    const int kind = by_reference ? omp_sched_guided : omp_sched_dynamic;
    int got_kind = 0;
    int64_t got_chunk = -1;
    if (by_reference) {
      kmp_set_schedule_8_(&kind, &chunk);
      kmp_get_schedule_8_(&got_kind, &got_chunk);
    } else {
      kmp_set_schedule_8(kind, chunk);
      kmp_get_schedule_8(&got_kind, &got_chunk);
    }
    CHECK_EQ(got_kind, kind);
    CHECK_EQ(got_chunk, chunk);
  }
}

static void check_ancestors(void) {
  omp_set_num_threads(3);
#pragma omp parallel
  {
    const int64_t levels[] = {0, 1, 2, kTooMany, kTooFew};
    for (int i = 0; i < 5; ++i) {
      const int known = i < 2, outside = i == 0;
      const int number = !known ? -1 : outside ? 0 : omp_get_thread_num();
      const int size = !known ? -1 : outside ? 1 : omp_get_num_threads();
      CHECK_EQ(kmp_get_ancestor_thread_num_8(levels[i]), number);
      CHECK_EQ(kmp_get_ancestor_thread_num_8_(&levels[i]), number);
      CHECK_EQ(kmp_get_team_size_8(levels[i]), size);
      CHECK_EQ(kmp_get_team_size_8_(&levels[i]), size);
    }
  }
}

static void check_places(void) {
  const int64_t place = omp_get_num_places() - 1;
  const int size = omp_get_place_num_procs((int)place);
  CHECK(size >= 1);
  CHECK_EQ(kmp_get_place_num_procs_8(place), size);
  CHECK_EQ(kmp_get_place_num_procs_8_(&place), size);
  CHECK_EQ(kmp_get_place_num_procs_8(kTooMany), 0);
  int cpus[CPU_SETSIZE];
  int64_t cpus8[2][CPU_SETSIZE];
  omp_get_place_proc_ids((int)place, cpus);
  kmp_get_place_proc_ids_8(place, cpus8[0]);
  kmp_get_place_proc_ids_8_(&place, cpus8[1]);
  for (int i = 0; i < size; ++i) CHECK(cpus8[0][i] == cpus[i] && cpus8[1][i] == cpus[i]);
  omp_get_partition_place_nums(cpus);
  kmp_get_partition_place_nums_8(cpus8[0]);
  kmp_get_partition_place_nums_8_(cpus8[1]);
  for (int i = 0; i < omp_get_partition_num_places(); ++i)
    CHECK(cpus8[0][i] == cpus[i] && cpus8[1][i] == cpus[i]);
}

static void check_masks(void) {
  cpu_set_t process;
  CHECK_EQ(sched_getaffinity(0, sizeof process, &process), 0);
  int64_t cpu = 0;
  while (!CPU_ISSET(cpu, &process)) ++cpu;
  kmp_affinity_mask_t mask;
  kmp_create_affinity_mask(&mask);
  CHECK_EQ(kmp_get_affinity_mask_proc_8(cpu, &mask), 0);
  CHECK_EQ(kmp_set_affinity_mask_proc_8(cpu, &mask), 0);
  CHECK_EQ(kmp_get_affinity_mask_proc_8_(&cpu, &mask), 1);
  CHECK_EQ(kmp_unset_affinity_mask_proc_8_(&cpu, &mask), 0);
  CHECK_EQ(kmp_get_affinity_mask_proc_8(cpu, &mask), 0);
  CHECK_EQ(kmp_set_affinity_mask_proc_8_(&cpu, &mask), 0);
  CHECK_EQ(kmp_unset_affinity_mask_proc_8(cpu, &mask), 0);
  CHECK_EQ(kmp_get_affinity_mask_proc(cpu, &mask), 0);
  CHECK_EQ(kmp_set_affinity_mask_proc_8(((int64_t)1 << 32) + cpu, &mask), -1);
  kmp_destroy_affinity_mask(&mask);
}

static void check_pause(void) {
  const int kind = omp_pause_soft;
  const int64_t host = omp_get_initial_device(), nowhere = ((int64_t)1 << 32) + host;
  CHECK_EQ(kmp_pause_resource_8(kind, host), 0);
  CHECK_EQ(kmp_pause_resource_8_(&kind, &host), 0);
  CHECK(kmp_pause_resource_8(kind, nowhere) != 0);
  CHECK(kmp_pause_resource_8_(&kind, &nowhere) != 0);
}

int main(void) {
  check_masks();
  check_setters();
  check_schedule();
  check_ancestors();
  check_places();
  check_pause();
  return check_result();
}
