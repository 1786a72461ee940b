// 5.1: `taskwait depend nowait`
// test: omp/taskwait_nowait
#include <omp.h>

int main(void) {
  int a = 0, b = 0, sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
#pragma omp task depend(out : a) shared(a)
    a = 1;
#pragma omp taskwait depend(in : a) depend(out : b) nowait
#pragma omp task depend(in : b) shared(a, sum)
    sum = a + 1;
  }
  return sum != 2;
}
