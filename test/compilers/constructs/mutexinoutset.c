// 5.0: `depend(mutexinoutset)`
// test: omp/depend_exclusion
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 1000; ++i) {
#pragma omp task depend(mutexinoutset : sum)
    ++sum;
  }
  return sum != 1000;
}
