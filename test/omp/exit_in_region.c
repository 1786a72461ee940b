// exit() by one thread while the others wait at a barrier.
// test: exit 7
#include <omp.h>

#include "check.h"

static void farewell(void) { fflush(stdout); }

int main(void) {
  atexit(farewell);
#pragma omp parallel
  {
#pragma omp barrier
    if (omp_get_thread_num() == omp_get_num_threads() - 1) exit(7);
#pragma omp barrier
  }
  return 1;
}
