// 5.1: `scope`
// test: omp/scope
#include <omp.h>

int main(void) {
  int sum = 0, threads = 0;
#pragma omp parallel num_threads(4)
  {
#pragma omp scope reduction(+ : sum)
    ++sum;
#pragma omp single
    threads = omp_get_num_threads();
  }
  return sum != threads;
}
