// Regions whose number of threads the tuner chooses: each member of a team runs the body once,
// whatever the team's size; num_threads holds; and each region gives back its share of the thread
// limit.
// test: variant dynamic OMP_DYNAMIC=true
// test: variant molded VICINO_MOLD=regions
// test: variant limited VICINO_MOLD=regions OMP_THREAD_LIMIT=3
// test: variant cancelling VICINO_MOLD=regions OMP_CANCELLATION=true
#include <omp.h>

#include "check.h"

enum { kTimes = 120 };

static void work(int amount) {
  for (volatile int i = 0; i < amount; ++i) {
  }
}

// Each thread adds to the same word, so fewer threads are faster.
static void crowded(void) {
  const int most = omp_get_max_threads();
  for (int t = 0; t < kTimes; ++t) {
    long sum = 0;
    int threads = 0, numbers = 0;
#pragma omp parallel
    {
#pragma omp single
      threads = omp_get_num_threads();
#pragma omp atomic
      numbers += omp_get_thread_num();
#pragma omp for
      for (int i = 0; i < 1000; ++i) {
#pragma omp atomic
        sum += i;
      }
    }
    CHECK(threads >= 1 && threads <= most);
    CHECK_EQ(numbers, threads * (threads - 1) / 2);
    CHECK_EQ(sum, 1000 * 999 / 2);
  }
}

static void asked_for(void) {
  const int limit = omp_get_thread_limit();
  for (int t = 0; t < kTimes; ++t) {
    int ran = 0;
#pragma omp parallel num_threads(2)
    {
      work(5000);
#pragma omp atomic
      ++ran;
    }
    if (!omp_get_dynamic()) CHECK_EQ(ran, limit < 2 ? limit : 2);
  }
}

static void inner(void) {
  omp_set_max_active_levels(2);
  for (int t = 0; t < kTimes / 4; ++t) {
    int outer = 0, all = 0, wanted = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
      ++outer;
      int mine = 0;
#pragma omp parallel
      {
#pragma omp single
        mine = omp_get_num_threads();
        work(2000);
#pragma omp atomic
        ++all;
      }
#pragma omp atomic
      wanted += mine;
    }
    CHECK_EQ(all, wanted);
  }
  omp_set_max_active_levels(1);
}

static void cut_short(void) {
  for (int t = 0; t < kTimes; ++t) {
    int ran = 0;
#pragma omp parallel
    {
      work(3000);
#pragma omp atomic
      ++ran;
#pragma omp cancel parallel if (t % 3 == 0)
      work(3000);
    }
    CHECK(ran >= 1 && ran <= omp_get_max_threads());
  }
}

int main(void) {
  for (int round = 0; round < 2; ++round) {
    crowded();
    asked_for();
    inner();
    cut_short();
  }
  return check_result();
}
