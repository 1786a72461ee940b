// No thread leaves a barrier before all threads have come, and each sees after the barrier what was
// written before it.
#include <omp.h>

#include "check.h"

enum { kMost = 256, kRounds = 200 };
static int step[kMost];

static void neighbours(int threads) {
#pragma omp parallel num_threads(threads)
  {
    int me = omp_get_thread_num();
    for (int round = 1; round <= kRounds; ++round) {
      step[me] = round;  // plain stores: the barrier alone must order them
#pragma omp barrier
      for (int other = 0; other < threads; ++other) CHECK_EQ(step[other], round);
#pragma omp barrier
    }
  }
}

// The barrier at a region's end.
static void implied(int threads) {
  for (int round = 0; round < kRounds; ++round) {
#pragma omp parallel num_threads(threads)
    step[omp_get_thread_num()] = -round;
    for (int i = 0; i < threads; ++i) CHECK_EQ(step[i], -round);
  }
}

int main(void) {
  int most = omp_get_max_threads();
  neighbours(most);
  implied(most);
  neighbours(1);
#pragma omp barrier  // outside a region: a team of one
  return check_result();
}
