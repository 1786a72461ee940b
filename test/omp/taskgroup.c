// taskgroup waits for its tasks and all that they create, unlike taskwait.
// test: variant calls VICINO_TASK_CALLS=all threads=2,7
// test: variant drawn VICINO_TASK_CALLS=1 threads=2,7
#include <omp.h>

#include "check.h"

static int finished;

static void grow(int depth) {
  if (depth > 0)
    for (int i = 0; i < 3; ++i)
#pragma omp task firstprivate(depth)
      grow(depth - 1);
  __atomic_fetch_add(&finished, 1, __ATOMIC_RELAXED);
}

static void nested_groups(void) {
  int inner = 0, outer = 0;
#pragma omp taskgroup
  {
#pragma omp task shared(inner, outer)
    {
#pragma omp taskgroup
      for (int i = 0; i < 10; ++i)
#pragma omp task shared(inner)
        __atomic_fetch_add(&inner, 1, __ATOMIC_RELAXED);
      CHECK_EQ(__atomic_load_n(&inner, __ATOMIC_RELAXED), 10);
      __atomic_fetch_add(&outer, 1, __ATOMIC_RELAXED);
    }
  }
  CHECK_EQ(outer, 1);
}

static void with_reduction(void) {
  int sum = 5;
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < 100; ++i)
#pragma omp task in_reduction(+ : sum) firstprivate(i)
    sum += i;
  CHECK_EQ(sum, 5 + 4950);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 10; ++round) {
    finished = 0;
#pragma omp taskgroup
    grow(4);
    CHECK_EQ(__atomic_load_n(&finished, __ATOMIC_RELAXED), 1 + 3 + 9 + 27 + 81);
    nested_groups();
    with_reduction();
  }
  return check_result();
}
