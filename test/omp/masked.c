// master, masked and masked filter: which thread runs the block, and that no thread waits.
#include <omp.h>

#include "check.h"

static void filtered(int threads) {
  for (int chosen = 0; chosen <= threads; ++chosen) {
    int runs = 0, who = -1;
#pragma omp parallel num_threads(threads) shared(runs, who)
#pragma omp masked filter(chosen)
    {
      __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
      who = omp_get_thread_num();
    }
    CHECK_EQ(runs, chosen < threads);
    CHECK_EQ(who, chosen < threads ? chosen : -1);
  }
}

int main(void) {
  int masters = 0, masked = 0, most = omp_get_max_threads();
#pragma omp parallel
  for (int round = 0; round < 100; ++round) {
#pragma omp master
    {
      CHECK_EQ(omp_get_thread_num(), 0);
      ++masters;
    }
#pragma omp masked
    ++masked;
  }
  CHECK_EQ(masters, 100);
  CHECK_EQ(masked, 100);
  filtered(most < 9 ? most : 9);
  return check_result();
}
