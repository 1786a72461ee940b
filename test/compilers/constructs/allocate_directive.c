// 5.0: `allocate` directive
// test: omp/allocated_scalars
#include <omp.h>

int main(void) {
  int a[16];
#pragma omp allocate(a) allocator(omp_default_mem_alloc)
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < 16; ++i) a[i] = i;
  return a[15] != 15;
}
