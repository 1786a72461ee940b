// test: variant breadth_first VICINO_TASKS=breadth_first
// test: variant cilk VICINO_TASKS=cilk
// test: variant work_first VICINO_TASKS=work_first
// test: variant dfwspt VICINO_TASKS=dfwspt
// test: variant nas VICINO_TASKS=nas
// test: variant passive OMP_WAIT_POLICY=passive
// test: variant calls VICINO_TASK_CALLS=all threads=2,7
// test: variant drawn VICINO_TASK_CALLS=1 threads=2,7
// Explicit tasks: each runs once with the values it was given, and taskwait waits for children.
#include <omp.h>

#include "check.h"

enum { kTasks = 500 };
static unsigned char seen[kTasks];

static void from_one_thread(void) {
  int done = 0;
#pragma omp parallel shared(done)
#pragma omp single
  {
    for (int i = 0; i < kTasks; ++i)
#pragma omp task firstprivate(i)
    {
      hit(seen, i);
      __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
    }
#pragma omp taskwait
    CHECK_EQ(__atomic_load_n(&done, __ATOMIC_RELAXED), kTasks);
  }
  CHECK_EACH_ONCE(seen, kTasks);
}

static void from_all_threads(void) {
  int done = 0;
#pragma omp parallel shared(done)
  {
#pragma omp for nowait
    for (int i = 0; i < kTasks; ++i)
#pragma omp task firstprivate(i)
    {
      hit(seen, i);
      __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
    }
#pragma omp barrier  // completes all tasks of the region
    CHECK_EQ(__atomic_load_n(&done, __ATOMIC_RELAXED), kTasks);
  }
  CHECK_EACH_ONCE(seen, kTasks);
}

static long fib(int n) {
  if (n < 2) return n;
  long a, b;
#pragma omp task shared(a) if (n > 6)
  a = fib(n - 1);
#pragma omp task shared(b) final(n < 9) mergeable
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}

static void recursive(void) {
  long result = 0;
#pragma omp parallel shared(result)
#pragma omp masked
  result = fib(17);
  CHECK_EQ(result, 1597);
}

static void outside_any_region(void) {
  int value = 0;
#pragma omp task shared(value)
  value = 3;
#pragma omp taskwait
  CHECK_EQ(value, 3);
}

static void final_tasks(void) {
#pragma omp parallel
#pragma omp single
#pragma omp task final(1)
  {
    CHECK_EQ(omp_in_final(), 1);
#pragma omp task
    CHECK_EQ(omp_in_final(), 1);
  }
}

static void yields(void) {
  int count = 0;
#pragma omp parallel shared(count)
#pragma omp single
  for (int i = 0; i < 50; ++i)
#pragma omp task untied
  {
#pragma omp taskyield
#pragma omp atomic
    ++count;
  }
  CHECK_EQ(count, 50);
}

int main(void) {
  for (int round = 0; round < 5; ++round) {
    from_one_thread();
    from_all_threads();
  }
  recursive();
  outside_any_region();
  final_tasks();
  yields();
  return check_result();
}
