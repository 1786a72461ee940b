// 5.0: `taskwait depend`
// test: omp/depend_waits
#include <omp.h>

int main(void) {
  int a = 0, right = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out : a) shared(a)
    a = 1;
#pragma omp taskwait depend(in : a)
    right = a == 1;
  }
  return !right;
}
