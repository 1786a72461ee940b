// 6.0: `stripe`, `fuse`
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp stripe sizes(4)
  for (int i = 0; i < 16; ++i) sum += i;
#pragma omp fuse
  {
    for (int i = 0; i < 4; ++i) sum += i;
    for (int j = 0; j < 4; ++j) sum += j;
  }
  return sum != 132 || omp_get_max_threads() < 1;
}
