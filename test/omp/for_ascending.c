// In code that gcc compiles from schedule(dynamic) and schedule(guided), each thread gets its
// chunks in order, as with libgomp. The standard does not ask for it, but programs built by gcc
// count on it.
// test: uses gcc
// test: variant runtime gcc OMP_SCHEDULE=dynamic,2
#include <omp.h>
#include <sched.h>

#include "check.h"

enum { kIterations = 3000, kRounds = 20 };

// The first iterations take longest, so that threads have something to steal.
static void work(int i) {
  volatile int sink;
  for (int k = 0; k < (kIterations - i) / 4; ++k) sink = k;
  if (i % 512 == 0) sched_yield();
}

static void check_order(int i, int* last) {
  if (i <= *last) check_fail(__FILE__, __LINE__, "an iteration after a later one", i, *last + 1);
  *last = i;
}

int main(void) {
  for (int round = 0; round < kRounds; ++round) {
#pragma omp parallel
    {
      int last = -1;
#pragma omp for schedule(dynamic)
      for (int i = 0; i < kIterations; ++i) check_order(i, &last), work(i);
      last = -1;
#pragma omp for schedule(guided)
      for (int i = 0; i < kIterations; ++i) check_order(i, &last), work(i);
    }
    int last = -1;
#pragma omp parallel for schedule(dynamic, 3) firstprivate(last)
    for (int i = 0; i < kIterations; ++i) check_order(i, &last), work(i);
    if (getenv("OMP_SCHEDULE") != NULL) {
#pragma omp parallel for schedule(runtime) firstprivate(last)
      for (int i = 0; i < kIterations; ++i) check_order(i, &last), work(i);
    }
  }
  return check_result();
}
