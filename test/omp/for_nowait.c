// Long sequences of nowait loops with mixed schedules while one thread lags behind: there are more
// loops in flight than a runtime keeps slots for.
// test: variant measured VICINO_STATIC=measured clang
// test: variant tuned VICINO_STATIC=tuned clang
#include <omp.h>
#include <unistd.h>

#include "check.h"

enum { kLoops = 60, kTrip = 40 };
static unsigned char seen[kLoops][4][kTrip];

static void group(int k) {
#pragma omp for schedule(dynamic, 1) nowait
  for (int i = 0; i < kTrip; ++i) hit(seen[k][0], i);
#pragma omp for schedule(guided) nowait
  for (long i = kTrip - 1; i >= 0; --i) hit(seen[k][1], i);
#pragma omp for schedule(static, 3) nowait
  for (int i = 0; i < kTrip; ++i) hit(seen[k][2], i);
#pragma omp for schedule(runtime) nowait
  for (unsigned i = 0; i < kTrip; ++i) hit(seen[k][3], i);
}

static void lagging(int slow) {
#pragma omp parallel
  {
    if (omp_get_thread_num() == slow) usleep(20000);
    for (int k = 0; k < kLoops; ++k) group(k);
  }
  CHECK_EACH_ONCE(&seen[0][0][0], kLoops * 4 * kTrip);
}

// The slow thread stops in the middle of a loop that the others left long ago.
static void lagging_inside(void) {
#pragma omp parallel
  for (int k = 0; k < kLoops; ++k) {
#pragma omp for schedule(dynamic, 1) nowait
    for (int i = 0; i < kTrip; ++i) {
      if (k == 3 && i == 5) usleep(20000);
      for (int s = 0; s < 4; ++s) hit(seen[k][s], i);
    }
  }
  CHECK_EACH_ONCE(&seen[0][0][0], kLoops * 4 * kTrip);
}

static void many_sections_and_singles(void) {
  int sections = 0, singles = 0;
#pragma omp parallel shared(sections, singles)
  {
    if (omp_get_thread_num() == 0) usleep(10000);
    for (int k = 0; k < kLoops; ++k) {
#pragma omp sections nowait
      {
#pragma omp section
        __atomic_fetch_add(&sections, 1, __ATOMIC_RELAXED);
#pragma omp section
        __atomic_fetch_add(&sections, 1, __ATOMIC_RELAXED);
      }
#pragma omp single nowait
      __atomic_fetch_add(&singles, 1, __ATOMIC_RELAXED);
    }
  }
  CHECK_EQ(sections, 2 * kLoops);
  CHECK_EQ(singles, kLoops);
}

int main(void) {
  omp_set_schedule(omp_sched_dynamic, 2);
  lagging(0);
  lagging(omp_get_max_threads() - 1);
  lagging_inside();
  many_sections_and_singles();
  return check_result();
}
