// 5.0: `depend` with `iterator`
#include <omp.h>

int main(void) {
  int a[4] = {0}, sum = 0;
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    for (int i = 0; i < 4; ++i) {
#pragma omp task depend(out : a[i]) firstprivate(i)
      a[i] = i;
    }
#pragma omp task depend(iterator(i = 0 : 4), in : a[i])
    sum = a[0] + a[1] + a[2] + a[3];
  }
  return sum != 6;
}
