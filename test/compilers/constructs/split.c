// 6.0: `split`
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp split counts(4, omp_fill)
  for (int i = 0; i < 16; ++i) sum += i;
  return sum != 120 || omp_get_max_threads() < 1;
}
