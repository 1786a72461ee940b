// 5.1: `masked filter`
// test: omp/masked
#include <omp.h>

int main(void) {
  int who = -1;
#pragma omp parallel num_threads(2)
  {
#pragma omp masked filter(omp_get_num_threads() - 1)
    who = omp_get_num_threads() - 1 - omp_get_thread_num();
  }
  return who;
}
