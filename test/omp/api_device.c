// Device queries where the host is the only device, and a target region that falls back to it.
#include <omp.h>

#include "check.h"

int main(void) {
  CHECK_EQ(omp_get_num_devices(), 0);
  CHECK_EQ(omp_get_initial_device(), omp_get_num_devices());
  CHECK_EQ(omp_is_initial_device(), 1);
  omp_set_default_device(3);
  CHECK_EQ(omp_get_default_device(), 3);
  omp_set_default_device(0);
  CHECK_EQ(omp_get_default_device(), 0);
#pragma omp parallel
  CHECK_EQ(omp_is_initial_device(), 1);
  return check_result();
}
