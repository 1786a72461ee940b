// 5.0: `depobj`
// test: omp/depend_objects
#include <omp.h>

int main(void) {
  int a = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_depend_t o;
#pragma omp depobj(o) depend(inout : a)
#pragma omp task depend(depobj : o) shared(a)
    a = 1;
#pragma omp task depend(depobj : o) shared(a)
    a *= 5;
  }
  return a != 5;
}
