// The thread of a program whose regions have one thread is bound, too, when binding is asked for.
// test: uses OMP_PROC_BIND=close OMP_PLACES=threads threads=1
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>

#include "check.h"

int main(void) {
#pragma omp parallel
  {
    cpu_set_t mask;
    CHECK_EQ(omp_get_num_threads(), 1);
    CHECK_EQ(omp_get_place_num(), 0);
    CHECK_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
    CHECK_EQ(CPU_COUNT(&mask), omp_get_place_num_procs(0));
  }
  return check_result();
}
