// Worksharing, single, critical and reductions inside nested teams that run at the same time:
// each inner team has its own.
// test: variant measured VICINO_STATIC=measured clang
// test: variant tuned VICINO_STATIC=tuned clang
#include <omp.h>

#include "check.h"

enum { kTrip = 100 };

static long inner_work(int outer, unsigned char* seen) {
  long sum = 0;
  int singles = 0, inside = 0;
#pragma omp parallel num_threads(3) shared(singles, inside)
  {
#pragma omp for schedule(dynamic) reduction(+ : sum)
    for (int i = 0; i < kTrip; ++i) {
      hit(seen, i);
      sum += i * (outer + 1);
    }
#pragma omp single
    ++singles;
#pragma omp critical
    ++inside;
  }
  CHECK_EQ(singles, 1);
  CHECK_EQ(inside, 3);
  return sum;
}

int main(void) {
  omp_set_max_active_levels(2);
  int outer_threads = omp_get_max_threads() < 4 ? omp_get_max_threads() : 4;
  long total = 0;
#pragma omp parallel num_threads(outer_threads) reduction(+ : total)
#pragma omp for schedule(static, 1)
  for (int outer = 0; outer < 12; ++outer) {
    unsigned char seen[kTrip] = {0};
    total += inner_work(outer, seen);
    CHECK_EACH_ONCE(seen, kTrip);
  }
  CHECK_EQ(total, (long)kTrip * (kTrip - 1) / 2 * (12 * 13 / 2));
  return check_result();
}
