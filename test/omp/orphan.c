// Worksharing constructs in a function bind to whichever team calls it, or to none.
#include <omp.h>

#include "check.h"

enum { kTrip = 200 };
static unsigned char seen[kTrip];
static int sections_run, singles_run;

static void work(void) {
#pragma omp for schedule(dynamic, 3)
  for (int i = 0; i < kTrip; ++i) hit(seen, i);
#pragma omp sections
  {
#pragma omp section
    __atomic_fetch_add(&sections_run, 1, __ATOMIC_RELAXED);
#pragma omp section
    __atomic_fetch_add(&sections_run, 10, __ATOMIC_RELAXED);
  }
#pragma omp single
  ++singles_run;
#pragma omp barrier
#pragma omp critical
  ++sections_run;
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < 10; ++i) {
#pragma omp ordered
    ++singles_run;
  }
}

static void check_once(int threads) {
  CHECK_EACH_ONCE(seen, kTrip);
  CHECK_EQ(sections_run, 11 + threads);
  CHECK_EQ(singles_run, 11);
  sections_run = singles_run = 0;
}

int main(void) {
  work();
  check_once(1);
  int most = omp_get_max_threads();
#pragma omp parallel
  work();
  check_once(most);
#pragma omp parallel if (0)
  work();
  check_once(1);
  return check_result();
}
