// 5.0: `declare variant`
#include <omp.h>

int fast(void) { return 1; }
#pragma omp declare variant(fast) match(construct = {parallel})
int slow(void) { return 0; }

int main(void) {
  int fasts = 0;
#pragma omp parallel num_threads(1) reduction(+ : fasts)
  fasts += slow();
  return fasts != 1;
}
