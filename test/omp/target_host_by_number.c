// test: uses gcc OMP_TARGET_OFFLOAD=mandatory OMP_DEFAULT_DEVICE=0 threads=2
// OMP_TARGET_OFFLOAD=mandatory without a device, where the environment names the host by its
// number: then there is a device, and constructs run on it.
#include <omp.h>

#include "check.h"

int main(void) {
  int done = 0;
  CHECK_EQ(omp_get_default_device(), omp_get_initial_device());
#pragma omp target map(tofrom : done)
  ++done;
#pragma omp target data map(tofrom : done)
#pragma omp target map(tofrom : done)
  ++done;
  CHECK_EQ(done, 2);
  return check_result();
}
