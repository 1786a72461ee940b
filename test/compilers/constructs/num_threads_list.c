// 6.0: `num_threads` with a list
// test: omp/kmpc_num_threads
#include <omp.h>

int main(void) {
  int inner = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2, 3)
  {
#pragma omp parallel
#pragma omp single
    {
#pragma omp atomic write
      inner = omp_get_num_threads();
    }
  }
  return inner != 3;
}
