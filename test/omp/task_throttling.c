// A program may ask that every new task waits, however many do: the tasks here wait for code that comes after
// the last of them.
// test: uses KMP_ENABLE_TASK_THROTTLING=false threads=2,7
// test: peer gcc-12 libgomp runs a new task at once if 64 for each thread wait
#include <omp.h>
#include <sched.h>

#include "check.h"

enum { kTasks = 3000 };
static int made, runs, too_early;

static void wait_for_last(int maker) {
  __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
  if (omp_get_thread_num() == maker) {
    if (!__atomic_load_n(&made, __ATOMIC_ACQUIRE)) __atomic_fetch_add(&too_early, 1, __ATOMIC_RELAXED);
    return;
  }
  while (!__atomic_load_n(&made, __ATOMIC_ACQUIRE)) sched_yield();
}

int main(void) {
#pragma omp parallel
#pragma omp single
  {
    const int maker = omp_get_thread_num();
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(maker)
      wait_for_last(maker);
    }
    __atomic_store_n(&made, 1, __ATOMIC_RELEASE);
  }
  CHECK_EQ(runs, kTasks);
  CHECK_EQ(too_early, 0);
  return check_result();
}
