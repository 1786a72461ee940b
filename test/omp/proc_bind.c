// The proc_bind clause with each policy, and what omp_get_proc_bind returns for it.
// test: uses OMP_PLACES=threads OMP_PROC_BIND=spread,close
// test: peer clang-19 clang says 5 for primary, a number that libomp-19 takes for another policy
#include <omp.h>

#include "check.h"

// Called after an active region, so that the initial thread has its place. A team of one may leave
// its thread where it is.
static void clauses(void) {
  int places = omp_get_num_places(), mine = omp_get_place_num();
#pragma omp parallel proc_bind(primary)
  CHECK_EQ(omp_get_place_num(), mine);
#pragma omp parallel proc_bind(close)
  if (omp_in_parallel()) CHECK(omp_get_place_num() >= 0 && omp_get_place_num() < places);
#pragma omp parallel proc_bind(spread)
  if (omp_in_parallel()) {
    CHECK(omp_get_place_num() >= 0 && omp_get_place_num() < places);
    if (omp_get_num_threads() >= places) CHECK_EQ(omp_get_partition_num_places(), 1);
  }
}

int main(void) {
  CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_spread);
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_close);
  clauses();
  return check_result();
}
