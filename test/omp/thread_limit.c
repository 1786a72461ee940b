// OMP_THREAD_LIMIT bounds the number of threads of a contention group, all nested teams together.
// test: uses OMP_THREAD_LIMIT=6
#include <omp.h>
#include <sched.h>

#include "check.h"

enum { kLimit = 6, kOuter = 3 };

static void one_team(void) {
  int most = omp_get_max_threads();
#pragma omp parallel
  {
    CHECK(omp_get_num_threads() <= kLimit);
    if (most <= kLimit) CHECK_EQ(omp_get_num_threads(), most);
  }
#pragma omp parallel num_threads(50)
  CHECK(omp_get_num_threads() <= kLimit);
}

// Each inner team stays until all have started, so the sum of their sizes is the number of threads
// alive at once. The additions (S1) pair with each other and with the load (S2).
static void teams_at_once(void) {
  int started = 0, alive = 0;
#pragma omp parallel num_threads(kOuter) shared(started, alive)
  {
    int outer_threads = omp_get_num_threads();
#pragma omp parallel num_threads(4) shared(started, alive)
    {
      __atomic_fetch_add(&alive, 1, __ATOMIC_ACQ_REL);  // S1
#pragma omp barrier
#pragma omp masked
      {
        __atomic_fetch_add(&started, 1, __ATOMIC_ACQ_REL);                                  // S1
        while (__atomic_load_n(&started, __ATOMIC_ACQUIRE) < outer_threads) sched_yield();  // S2
      }
    }
  }
  CHECK(alive >= kOuter);
  CHECK(alive <= kLimit);
}

int main(void) {
  CHECK_EQ(omp_get_thread_limit(), kLimit);
  one_team();
  omp_set_max_active_levels(2);
  for (int i = 0; i < 20; ++i) teams_at_once();
  return check_result();
}
