// omp_pause_resource: a program that gives its threads back can start regions again.
#include <omp.h>

#include "check.h"

static const omp_pause_resource_t stop_tool = (omp_pause_resource_t)3;  // OpenMP 6.0 names it

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
    CHECK_EQ(omp_pause_resource_all(stop_tool), 0);  // there is no tool
    region();
    CHECK(omp_pause_resource_all((omp_pause_resource_t)4) != 0);
  }
#pragma omp parallel num_threads(2)
  CHECK(omp_pause_resource_all(stop_tool) != 0);
  return check_result();
}
