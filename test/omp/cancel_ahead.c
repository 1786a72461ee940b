// A member waits because it is as many loops ahead of the others as it may be. It goes on when one
// of them cancels the region.
// test: uses OMP_CANCELLATION=true
// test: variant active OMP_WAIT_POLICY=active
// test: variant passive OMP_WAIT_POLICY=passive
// test: peer clang-19@ libomp-19 waits for ever
// test: peer clang-19@active libomp-19 waits for ever
// test: peer clang-19@passive libomp-19 waits for ever
#include <omp.h>
#include <unistd.h>

#include "check.h"

enum { kLoops = 40, kTrip = 8 };

// Returns how many iterations of kLoops loops ran when member 0 cancels before loop `at`.
static int until(int at, useconds_t after) {
  int runs = 0;
#pragma omp parallel shared(runs)
  for (int loop = 0; loop < kLoops; ++loop) {
    if (loop == at && omp_get_thread_num() == 0) {
      usleep(after);
#pragma omp cancel parallel
    }
#pragma omp for schedule(dynamic, 1) nowait
    for (int i = 0; i < kTrip; ++i) __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
  }
  return runs;
}

int main(void) {
  CHECK(omp_get_cancellation());
  for (int round = 0; round < 20; ++round)
    for (int at = 0; at < 12; at += 4) {
      int runs = until(at, round % 2 ? 3000 : 0);
      CHECK(runs >= at * kTrip);
      CHECK(runs <= kLoops * kTrip);
    }
  CHECK_EQ(until(kLoops, 0), kLoops * kTrip);
  return check_result();
}
