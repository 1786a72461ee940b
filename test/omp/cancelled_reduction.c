// A thread of a cancelled region never comes to a loop with a task reduction, which the others have begun: what they share
// for it is freed after the region.
// test: uses OMP_CANCELLATION=true threads=2,4,7
#include <malloc.h>
#include <omp.h>

#include "check.h"

// Beside other programs each thread's heap for tasks may grow by 35 KB late; lost copies take 0.6 KB a region and more.
enum { kRegions = 2000, kTrip = 64, kMostBytes = 256 * kRegions };

static int cancelled_region(void) {
  int sum = 0;
  int began = 0;
#pragma omp parallel shared(sum, began)
  {
    if (omp_get_thread_num() == 0) {
      for (int seen = omp_get_num_threads() == 1; !seen;) {
#pragma omp atomic read
        seen = began;
      }
#pragma omp cancel parallel
    }
#pragma omp for reduction(task, + : sum) schedule(static)
    for (int i = 0; i < kTrip; ++i) {
#pragma omp task in_reduction(+ : sum)
      sum += i;
#pragma omp atomic write
      began = 1;
    }
  }
  return sum;
}

static size_t after(int regions) {
  for (int i = 0; i < regions; ++i) cancelled_region();
  return mallinfo2().uordblks;
}

int main(void) {
  CHECK(omp_get_cancellation());
  const size_t before = after(100);
  CHECK(after(kRegions) < before + kMostBytes);
  return check_result();
}
