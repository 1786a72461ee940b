// Nested teams of changing sizes in which every thread makes tasks, so that threads of inner teams look for tasks
// while outer teams end: each task runs once, on a thread of the team that made it, and each thread has its number
// back after an inner region.
// test: variant passive OMP_WAIT_POLICY=passive
// test: uses threads=2,4 OMP_MAX_ACTIVE_LEVELS=3
#include <omp.h>

#include "check.h"

enum { kRounds = 60 };

static long runs = 0;

static long make_tasks(int count) {
  const int level = omp_get_level(), size = omp_get_num_threads();
  for (int i = 0; i < count; ++i) {
#pragma omp task firstprivate(level, size)
    {
      CHECK_EQ(omp_get_level(), level);
      CHECK_EQ(omp_get_num_threads(), size);
      CHECK_EQ(omp_get_ancestor_thread_num(level), omp_get_thread_num());
      CHECK(omp_get_thread_num() >= 0 && omp_get_thread_num() < size);
#pragma omp atomic
      ++runs;
    }
  }
  return count;
}

// What the innermost region of a nest is given: the sizes of the regions around it.
static long nest(const int* sizes, int levels) {
  long made = 0;
  const int outer = omp_get_thread_num(), level = omp_get_level();
#pragma omp parallel num_threads(*sizes) reduction(+ : made)
  {
    const int me = omp_get_thread_num();
    CHECK_EQ(omp_get_level(), level + 1);
    CHECK_EQ(omp_get_team_size(level + 1), *sizes);
    CHECK_EQ(omp_get_ancestor_thread_num(level), outer);
    made += make_tasks(11);
    if (levels > 1) made += nest(sizes + 1, levels - 1);
    if (me % 2) {
#pragma omp taskwait
    }
    CHECK_EQ(omp_get_thread_num(), me);
    made += make_tasks(4);
  }
  CHECK_EQ(omp_get_thread_num(), outer);
  return made;
}

int main(void) {
  const int most = omp_get_max_threads();
  long made = 0;
  for (int round = 0; round < kRounds; ++round) {
    const int changing[] = {1 + round % most, 3 - round % 3, 1 + round / 2 % 3};
    const int growing[] = {2, 1, 2}, shrinking[] = {most, 3, 1};
    made += nest(changing, 3) + nest(growing, 3) + nest(shrinking, 3);
    CHECK_EQ(runs, made);
  }
  return check_result();
}
