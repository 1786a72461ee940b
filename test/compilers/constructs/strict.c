// 5.1: `taskloop` with `strict`
// test: omp/taskloop_shapes
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop grainsize(strict : 8) reduction(+ : sum)
  for (int i = 0; i < 100; ++i) sum += i;
  return sum != 4950;
}
