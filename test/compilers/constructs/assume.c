// 5.1: `assume`
#include <omp.h>

int main(void) {
  int sum = 0;
#pragma omp assume no_openmp_routines
  {
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < 100; ++i) sum += i;
  }
  return sum != 4950;
}
