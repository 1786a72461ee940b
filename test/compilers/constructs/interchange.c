// 6.0: `interchange`, `reverse`
#include <omp.h>

int main(void) {
  int sum = 0, last = -1;
#pragma omp interchange
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) sum += i;
#pragma omp reverse
  for (int i = 0; i < 4; ++i) last = i;
  return sum != 24 || last != 0 || omp_get_max_threads() < 1;
}
