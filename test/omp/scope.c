// scope: every thread runs it, its reduction is complete after its barrier, and nowait has none.
// test: skip clang<21 scope is not implemented
#include <omp.h>

#include "check.h"

int main(void) {
  int most = omp_get_max_threads(), runs = 0, sum = 0;
  long product = 1;
#pragma omp parallel shared(runs, sum, product)
  for (int round = 0; round < 50; ++round) {
    int threads = omp_get_num_threads();
#pragma omp scope reduction(+ : sum)
    {
      sum += omp_get_thread_num() + 1;
      __atomic_fetch_add(&runs, 1, __ATOMIC_RELAXED);
    }
    CHECK_EQ(sum, (round + 1) * threads * (threads + 1) / 2);
    CHECK_EQ(runs, (round + 1) * threads);
#pragma omp barrier
#pragma omp scope nowait reduction(* : product)
    product *= omp_get_thread_num() == 0 && round < 10 ? 2 : 1;
  }
  CHECK_EQ(product, 1024);
  CHECK(runs <= 50 * most);
  return check_result();
}
