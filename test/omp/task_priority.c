// test: uses OMP_MAX_TASK_PRIORITY=10 threads=2,4,7
// Tasks that wait at the same time are begun in the order of their priorities. One thread runs
// them; the others are held in tasks of their own.
// test: variant graphs VICINO_TASKGRAPH=site
#include <omp.h>

#include "check.h"

enum { kTasks = 40 };

static void in_order(int threads) {
  int order[kTasks], begun = 0, held = 0, release = 0;
  // The other threads stay in these tasks until the last task with a priority has begun: the store
  // to `release` (R1) pairs with their load (R2).
  for (int i = 1; i < threads; ++i)
#pragma omp task shared(held, release)
  {
    __atomic_fetch_add(&held, 1, __ATOMIC_RELAXED);
    while (!__atomic_load_n(&release, __ATOMIC_ACQUIRE)) {  // R2
    }
  }
  while (__atomic_load_n(&held, __ATOMIC_RELAXED) < threads - 1) {
  }
  for (int i = 0; i < kTasks; ++i) {
    const int priority = i * 7 % 12;  // 11 counts as 10
#pragma omp task priority(priority) shared(order, begun, release) firstprivate(priority)
    {
      const int at = __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED);
      order[at] = priority > 10 ? 10 : priority;
      if (at + 1 == kTasks) __atomic_store_n(&release, 1, __ATOMIC_RELEASE);  // R1
    }
  }
#pragma omp taskwait
  CHECK_EQ(begun, kTasks);
  for (int i = 1; i < kTasks; ++i) CHECK(order[i] <= order[i - 1]);
}

int main(void) {
  CHECK_EQ(omp_get_max_task_priority(), 10);
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 10; ++round) in_order(omp_get_num_threads());
  return check_result();
}
