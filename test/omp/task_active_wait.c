// test: uses threads=2 OMP_WAIT_POLICY=active
// A thread that waits, never sleeps, and has seen no task since it came gets some of the short tasks that
// are made later. The thread that makes them has learned before how short they are.
#include <omp.h>

#include "check.h"

static int by_second;

static void busy_for(double seconds) {
  const double begin = omp_get_wtime();
  while (omp_get_wtime() - begin < seconds) {
  }
}

static void make_tasks(int count) {
  for (int i = 0; i < count; ++i)
#pragma omp task
  {
    busy_for(3e-6);
    if (omp_get_thread_num() == 1) __atomic_store_n(&by_second, 1, __ATOMIC_RELAXED);
  }
#pragma omp taskwait
}

int main(void) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) make_tasks(500);
#pragma omp barrier
    if (omp_get_thread_num() == 0) {
      busy_for(0.01);  // meanwhile the other one comes to the next barrier
      make_tasks(1);      // too short a time for it to be seen
      by_second = 0;
      const double begin = omp_get_wtime();
      while (!__atomic_load_n(&by_second, __ATOMIC_RELAXED) && omp_get_wtime() - begin < 5)
        make_tasks(2);
    }
#pragma omp barrier
  }
  CHECK_EQ(by_second, 1);
  return check_result();
}
