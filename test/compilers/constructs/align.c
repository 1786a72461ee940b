// 5.1: `allocate(align(n) : …)`
// test: omp/allocate_clauses
#include <omp.h>

int main(void) {
  int sum = 0, x = 1;
#pragma omp parallel num_threads(2) private(x) allocate(align(64) : x) reduction(+ : sum)
  {
    int* volatile where = &x;
    sum += (unsigned long)where % 64 != 0;
  }
  return sum != 0 || x != 1;
}
