// 5.0: `task affinity`
// test: omp/task_affinity
#include <omp.h>

int main(void) {
  int a[4] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task affinity(a[0 : 4])
  a[1] = 1;
  return a[1] != 1;
}
