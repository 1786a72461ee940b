// 6.0: `transparent`
// test: omp/kmpc_transparent
#include <omp.h>

int main(void) {
  int a = 0, sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(inout : sum) transparent shared(a)
    {
#pragma omp task depend(out : a) shared(a)
      a = 1;
    }
#pragma omp task depend(in : a) shared(a, sum)
    sum = a + 1;
  }
  return sum != 2;
}
