// 5.0: `target`
// test: omp/target
#include <omp.h>

int main(void) {
  int a[8] = {0};
#pragma omp target map(tofrom : a)
  for (int i = 0; i < 8; ++i) a[i] = i;
  return a[7] != 7 || omp_get_max_threads() < 1;
}
