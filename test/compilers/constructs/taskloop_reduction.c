// 5.0: `taskloop reduction`
// test: omp/taskloop
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop reduction(+ : sum)
  for (int i = 0; i < 100; ++i) sum += i;
  return sum != 4950;
}
