// omp_pause_resource: a program that gives its threads back can start regions again.
#include <omp.h>

#include "check.h"

static void region(void) {
  int count = 0, most = omp_get_max_threads();
#pragma omp parallel reduction(+ : count)
  ++count;
  CHECK_EQ(count, most);
}

int main(void) {
  region();
  for (int round = 0; round < 3; ++round) {
    CHECK_EQ(omp_pause_resource_all(omp_pause_soft), 0);
    region();
    CHECK_EQ(omp_pause_resource(omp_pause_hard, omp_get_initial_device()), 0);
    region();
  }
  return check_result();
}
