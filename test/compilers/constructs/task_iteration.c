// 6.0: `task_iteration`
#include <omp.h>

int main(void) {
  int a[8] = {0}, wrong = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop shared(a)
  for (int i = 1; i < 8; ++i) {
#pragma omp task_iteration depend(inout : a[i]) depend(in : a[i - 1])
    a[i] = a[i - 1] + 1;
  }
  for (int i = 0; i < 8; ++i) wrong += a[i] != i;
  return wrong;
}
