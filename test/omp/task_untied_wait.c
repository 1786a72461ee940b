// An untied task that waits for a tied child must not occupy the last thread that may run it.
// test: variant graphs VICINO_TASKGRAPH=site
// test: variant calls VICINO_TASK_CALLS=all threads=2,7
// test: variant drawn VICINO_TASK_CALLS=1 threads=2,7
#include <omp.h>
#include <sched.h>

#include "check.h"

// Each thread generates an untied task and then runs a tied task on top of its implicit one. In the
// tied task it looks for tasks and finds another thread's untied task. If it runs that untied task,
// which waits for its child, the child may not run on the same thread, for it does not descend from
// the tied task.
static int round_of(int threads) {
  int done = 0, waiting = 0, here = 0;
#pragma omp parallel num_threads(threads) shared(done, waiting, here)
  {
#pragma omp task untied shared(done, waiting)
    {
#pragma omp task shared(done)
      __atomic_fetch_add(&done, 1, __ATOMIC_RELAXED);
      __atomic_fetch_add(&waiting, 1, __ATOMIC_RELAXED);
#pragma omp taskwait
    }
#pragma omp task if (0) shared(waiting, here)
    {
      __atomic_fetch_add(&here, 1, __ATOMIC_RELAXED);
      while (__atomic_load_n(&here, __ATOMIC_RELAXED) < threads) sched_yield();
      for (int i = 0; i < 1000 && __atomic_load_n(&waiting, __ATOMIC_RELAXED) < threads; ++i) {
#pragma omp taskyield
        sched_yield();
      }
    }
  }
  return done;
}

int main(void) {
  for (int i = 0; i < 20; ++i) {
    CHECK_EQ(round_of(2), 2);
    CHECK_EQ(round_of(3), 3);
  }
  return check_result();
}
