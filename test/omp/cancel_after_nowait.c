// One member cancels a static loop while others are still in the nowait loop before it. The earlier
// loop runs to its end; then the others find the static loop cancelled. gcc's code calls no runtime
// function when a static loop begins or ends.
// test: uses OMP_CANCELLATION=true
// test: variant dynamic OMP_SCHEDULE=dynamic
// test: variant chunks OMP_SCHEDULE=static,1
// test: variant guided OMP_SCHEDULE=guided
#include <omp.h>
#include <unistd.h>

#include "check.h"

enum { kTrip = 32, kLater = 64 };

int main(void) {
  CHECK(omp_get_cancellation());
  for (int round = 0; round < 10; ++round) {
    static unsigned char first[kTrip];
    int begun = 0, later = 0, unnoticed = 0;
#pragma omp parallel shared(begun, later, unnoticed)
    {
      const int me = omp_get_thread_num(), last = omp_get_num_threads() - 1;
#pragma omp for schedule(runtime) nowait
      for (int i = 0; i < kTrip; ++i) {
        if (me == last) usleep(300);
        hit(first, i);
      }
#pragma omp for schedule(static)
      for (int i = 0; i < kLater; ++i) {
        if (i == 0) __atomic_store_n(&begun, 1, __ATOMIC_RELAXED);
#pragma omp cancel for if (i == 0)
        while (!__atomic_load_n(&begun, __ATOMIC_RELAXED)) usleep(20);
        usleep(500);
#pragma omp cancellation point for
        __atomic_fetch_add(&later, 1, __ATOMIC_RELAXED);
      }
#pragma omp single
      unnoticed = kLater - (kLater + last) / (last + 1);  // all iterations but the first member's
    }
    CHECK_EACH_ONCE(first, kTrip);
    CHECK(unnoticed == 0 ? later == 0 : later < unnoticed);
  }
  return check_result();
}
