/* nested.c: regions in regions, leagues of teams, target regions, which run on the host, and allocators. */
#include <omp.h>
#include <stdint.h>
#include <string.h>

#include "check.h"

void test_nested(void) {
  int inner = 0, wrong = 0, serial = 0, affinity = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2) proc_bind(spread)
  {
    const int outer = omp_get_thread_num();
#pragma omp parallel num_threads(3) proc_bind(close) reduction(+ : wrong)
    {
      wrong += omp_get_level() != 2 || omp_get_ancestor_thread_num(1) != outer ||
               omp_get_team_size(1) != 2 || omp_get_team_size(2) != 3;
#pragma omp atomic
      ++inner;
#pragma omp parallel num_threads(2)
#pragma omp atomic
      ++serial;
    }
  }
  check_number("a region in a region", inner, 6);
  check("levels and ancestors", wrong == 0, "%d threads see others", wrong);
  check_number("a level beyond the last active one", serial, 6);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    char text[256];
    affinity = omp_capture_affinity(text, sizeof text, "%n of %N at level %L") > 0 &&
               strstr(text, " of 2 at level 1") != NULL;
  }
  check("omp_capture_affinity", affinity, "it describes another thread");

  static int hits[200];
  int teams = 0, numbers = 0;
#pragma omp teams num_teams(3) thread_limit(2) reduction(+ : teams, numbers)
  {
    teams += 1;
    numbers += omp_get_team_num();
#pragma omp distribute parallel for schedule(static, 3)
    for (int i = 0; i < 200; ++i) {
#pragma omp atomic
      ++hits[i];
    }
#pragma omp distribute dist_schedule(static, 5)
    for (int i = 0; i < 200; ++i) {
#pragma omp atomic
      ++hits[i];
    }
  }
  wrong = 0;
  for (int i = 0; i < 200; ++i) wrong += hits[i] != 2;
  check("a league of teams", teams > 0 && numbers == teams * (teams - 1) / 2,
        "%d teams, and the sum of their numbers is %d", teams, numbers);
  check("distribute", wrong == 0, "%d of 200 iterations are wrong", wrong);
}

void test_target(void) {
  enum { kTrip = 100 };
  static int in[kTrip], out[kTrip];
  int wrong = 0, sum = 0, here = 0, awaited = 0;
  for (int i = 0; i < kTrip; ++i) in[i] = i;
#pragma omp target map(to : in) map(from : out)
  for (int i = 0; i < kTrip; ++i) out[i] = 2 * in[i];
  for (int i = 0; i < kTrip; ++i) wrong += out[i] != 2 * i;
  check("target", wrong == 0, "%d of %d values are wrong", wrong, kTrip);
#pragma omp target teams distribute parallel for map(to : in) map(tofrom : sum) reduction(+ : sum)
  for (int i = 0; i < kTrip; ++i) sum += in[i];
  check_number("target teams", sum, kTrip * (kTrip - 1) / 2);
#pragma omp target data map(tofrom : in)
  {
#pragma omp target map(from : here)
    here = omp_is_initial_device() && in[3] == 3;
#pragma omp target update from(in)
  }
  check("target regions run on the host", here, "they did not");
#pragma omp target enter data map(to : in)
#pragma omp target exit data map(from : in)
#pragma omp parallel num_threads(kTeam)
#pragma omp single
  {
#pragma omp target nowait map(tofrom : awaited) depend(out : awaited)
    awaited = 5;
#pragma omp taskwait
  }
  check_number("target nowait", awaited, 5);
  check_number("there is no other device", omp_get_num_devices(), 0);
  check_number("the host is the initial device", omp_get_initial_device(), omp_get_num_devices());
}

void test_memory(void) {
  omp_alloctrait_t traits[] = {
      {omp_atk_alignment, 256}, {omp_atk_pool_size, 1 << 16}, {omp_atk_fallback, omp_atv_null_fb}};
  const omp_allocator_handle_t own = omp_init_allocator(omp_default_mem_space, 3, traits);
  check("an allocator is made", own != omp_null_allocator, "it was not");
  char* const block = omp_alloc(1000, own);
  check("its blocks are aligned", block != NULL && (uintptr_t)block % 256 == 0,
        "the block is at %p", (void*)block);
  check("its pool ends", omp_alloc(1 << 20, own) == NULL, "more was given than it has");
  omp_free(block, own);
  omp_destroy_allocator(own);
  int* const numbers = omp_calloc(100, sizeof *numbers, omp_default_mem_alloc);
  int wrong = 0;
  for (int i = 0; numbers != NULL && i < 100; ++i) wrong += numbers[i] != 0;
  check("omp_calloc", numbers != NULL && wrong == 0, "%d numbers are not 0", wrong);
  omp_free(numbers, omp_default_mem_alloc);
  int sum = 0;
  int values[50];
#pragma omp parallel num_threads(kTeam) reduction(+ : sum) private(values) \
    allocate(omp_high_bw_mem_alloc : values)
  {
    for (int i = 0; i < 50; ++i) values[i] = omp_get_thread_num();
    for (int i = 0; i < 50; ++i) sum += values[i];
  }
  check_number("allocate", sum, 50 * kTeam * (kTeam - 1) / 2);
}
