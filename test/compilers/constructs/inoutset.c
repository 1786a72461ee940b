// 5.1: `depend(inoutset)`
// test: omp/depend_inoutset
#include <omp.h>

int main(void) {
  int a = 0, b = 0, sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task depend(inoutset : a) shared(b)
    b = 1;
#pragma omp task depend(in : a) shared(b, sum)
    sum = b + 1;
  }
  return sum != 2 || a;
}
