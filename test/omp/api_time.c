// omp_get_wtime goes forward at the right pace on every thread, and omp_get_wtick is its grain.
#include <omp.h>
#include <time.h>

#include "check.h"

static double monotonic_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(void) {
  CHECK(omp_get_wtick() > 0 && omp_get_wtick() <= 0.01);
  double start = omp_get_wtime(), reference = monotonic_seconds();
  struct timespec nap = {0, 50000000};
  nanosleep(&nap, NULL);
  double passed = omp_get_wtime() - start, truth = monotonic_seconds() - reference;
  CHECK(passed >= 0.049);
  CHECK(passed < truth + 0.02 && passed > truth - 0.02);
#pragma omp parallel
  {
    double previous = omp_get_wtime();
    CHECK(previous >= start);
    for (int i = 0; i < 1000; ++i) {
      double now = omp_get_wtime();
      CHECK(now >= previous);
      previous = now;
    }
  }
  return check_result();
}
