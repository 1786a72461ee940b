// 5.2: `depobj` `destroy(object)`
#include <omp.h>

int main(void) {
  int a = 0;
  omp_depend_t o;
#pragma omp depobj(o) depend(inout : a)
#pragma omp depobj(o) destroy(o)
  return a || omp_get_max_threads() < 1;
}
