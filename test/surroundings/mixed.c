// A program of one compiler that calls a library of another (mixed_part.c), in its regions and outside of them:
// to OpenMP the two are one program. Prints how many threads the process has besides its first.
#include "mixed.h"

#include <omp.h>

#include "../omp/check.h"
#include "../omp/threads_now.h"

// gcc and clang give the lock of a critical region different names, even if the program names the region. So the two
// parts exclude each other by a lock of the program's.
static omp_lock_t lock;

static void region(int threads) {
  int runs = 0, inside = 0;
#pragma omp parallel num_threads(threads) shared(runs, inside)
  {
    CHECK(part_is_in(omp_get_level(), omp_get_thread_num()));
    CHECK_EQ(part_members(4), 1);  // of a region within this one; one level may be active
    part_add_by_task(&runs);
#pragma omp taskwait
    for (int i = 0; i < 200; ++i) {
      omp_set_lock(&lock);
      ++inside;
      omp_unset_lock(&lock);
      part_count(&lock, &inside);
    }
#pragma omp barrier
    CHECK_EQ(runs, threads);
  }
  CHECK_EQ(inside, 2 * 200 * threads);
}

int main(void) {
  omp_init_lock(&lock);
  for (int round = 0; round < 20; ++round) {
    region(4);
    CHECK_EQ(part_members(4), 4);
    part_set_num_threads(3 + round % 2);
    CHECK_EQ(omp_get_max_threads(), 3 + round % 2);
  }
  printf("%d\n", threads_now() - 1);
  return check_result();
}
