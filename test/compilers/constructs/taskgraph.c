// 6.0: `taskgraph`
// test: omp/kmpc_taskgraph
#include <omp.h>

int main(void) {
  int a = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  for (int i = 0; i < 3; ++i) {
#pragma omp taskgraph
    {
#pragma omp task depend(inout : a) shared(a)
      ++a;
#pragma omp task depend(inout : a) shared(a)
      a *= 2;
    }
  }
  return a != 14;
}
