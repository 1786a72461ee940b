// 5.1: `error`
// test: omp/error_directive
#include <omp.h>

int main(void) {
#pragma omp error at(execution) severity(warning) message("a warning")
  return omp_get_max_threads() < 1;
}
