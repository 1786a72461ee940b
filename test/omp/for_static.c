// schedule(static): blocks in thread order, equal for equal loops; schedule(static, c): chunk k
// goes to thread k mod n. Programs rely on both.
#include <omp.h>

#include "check.h"

enum { kTrip = 1003 };
static int owner[kTrip], again[kTrip];

static void blocks(int threads) {
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (int i = 0; i < kTrip; ++i) owner[i] = omp_get_thread_num();
#pragma omp for schedule(static) nowait
    for (int i = 0; i < kTrip; ++i) again[i] = omp_get_thread_num();
  }
  int share[256] = {0};
  for (int i = 0; i < kTrip; ++i) {
    CHECK(i == 0 || owner[i] >= owner[i - 1]);
    CHECK_EQ(again[i], owner[i]);
    ++share[owner[i]];
  }
  for (int t = 0; t < threads; ++t) CHECK(share[t] <= (kTrip + threads - 1) / threads);
}

static void chunks(int threads, int chunk) {
#pragma omp parallel for schedule(static, chunk) num_threads(threads)
  for (int i = 0; i < kTrip; ++i) owner[i] = omp_get_thread_num();
  for (int i = 0; i < kTrip; ++i) CHECK_EQ(owner[i], i / chunk % threads);
}

// The same assignment through schedule(runtime), which enters the runtime by another function.
static void chunks_at_run_time(int threads, int chunk) {
  omp_set_schedule(omp_sched_static, chunk);
#pragma omp parallel for schedule(runtime) num_threads(threads)
  for (int i = 0; i < kTrip; ++i) owner[i] = omp_get_thread_num();
  for (int i = 0; i < kTrip; ++i) CHECK_EQ(owner[i], i / chunk % threads);
}

// Equal static loops share their assignment, so the second may read what the first wrote.
static void nowait_pair(void) {
  static double a[kTrip], b[kTrip];
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < kTrip; ++i) a[i] = i;
#pragma omp for schedule(static) nowait
    for (int i = 0; i < kTrip; ++i) b[i] = a[i] * 2;
  }
  for (int i = 0; i < kTrip; ++i) CHECK(b[i] == 2.0 * i);
}

int main(void) {
  int most = omp_get_max_threads();
  for (int threads = 1; threads <= most; threads += 1 + threads / 4) {
    blocks(threads);
    for (int chunk = 1; chunk <= 1100; chunk = 3 * chunk + 1) chunks(threads, chunk);
    chunks_at_run_time(threads, 5);
  }
  nowait_pair();
  return check_result();
}
