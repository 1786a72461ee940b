// 5.1: `omp_all_memory`
// test: omp/depend_memory
#include <omp.h>

int main(void) {
  int a = 0, b = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task depend(out : a) shared(a)
    a = 1;
#pragma omp task depend(inout : omp_all_memory) shared(a, b)
    b = a + 1;
  }
  return b != 2;
}
