// 6.0: `num_threads(strict : n)`, `message`, `severity`
// test: omp/kmpc_num_threads
#include <omp.h>

int main(void) {
  int threads = 0;
#pragma omp parallel num_threads(strict : 2) severity(warning) message("fewer threads")
  {
#pragma omp single
    threads = omp_get_num_threads();
  }
  return threads != 2;
}
