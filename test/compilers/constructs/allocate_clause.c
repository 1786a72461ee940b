// 5.0: `allocate` clause
// test: omp/allocate_clauses
#include <omp.h>

int main(void) {
  int x = 5, sum = 0;
#pragma omp parallel num_threads(2) firstprivate(x) allocate(omp_default_mem_alloc : x) \
    reduction(+ : sum)
  {
    x += omp_get_thread_num();
    sum += x;
  }
  return sum != 11 && omp_get_max_threads() > 1;
}
