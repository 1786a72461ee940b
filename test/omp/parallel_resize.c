// Teams grow and shrink from region to region, as in a program with varying work.
#include <omp.h>

#include "check.h"

enum { kMost = 256 };
static unsigned char seen[kMost];

static void region(int n) {
  int sum = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
  {
    hit(seen, omp_get_thread_num());
    CHECK_EQ(omp_get_num_threads(), n);
#pragma omp barrier
    sum += omp_get_thread_num() + 1;
  }
  CHECK_EQ(sum, n * (n + 1) / 2);
  CHECK_EACH_ONCE(seen, n);
}

int main(void) {
  int most = omp_get_max_threads();
  for (int round = 0; round < 20; ++round) {
    region(most);
    region(1);
    region((most + 1) / 2);
    region(1 + round % most);
  }
  for (int n = 1; n <= most; ++n) region(n);
  for (int n = most; n >= 1; --n) region(n);
  for (int i = 0; i < 300; ++i) region(most < 8 ? most : 8);
  return check_result();
}
