// 5.1: `dispatch`, `adjust_args`
#include <omp.h>

int variant(int* a) { return *a; }
#pragma omp declare variant(variant) match(construct = {dispatch}) adjust_args(nothing : a)
int base(int* a) { return *a - 1; }

int main(void) {
  int a = 1, got;
#pragma omp dispatch
  got = base(&a);
  return got != 1 || omp_get_max_threads() < 1;
}
