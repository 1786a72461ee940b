// 5.1: `interop`
// test: omp/api_interop
#include <omp.h>

int main(void) {
  omp_interop_t object = omp_interop_none;
#pragma omp interop init(targetsync : object) device(omp_get_initial_device())
#pragma omp interop destroy(object)
  return object != omp_interop_none;
}
