// Prints whether the kernel says that this program has more rights than its caller, and the
// settings that the environment could change.
#include <omp.h>
#include <stdio.h>
#include <sys/auxv.h>

int main(void) {
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  printf("secure %lu threads %d limit %d levels %d chunk %d\n", getauxval(AT_SECURE),
         omp_get_max_threads(), omp_get_thread_limit(), omp_get_max_active_levels(), chunk);
  return 0;
}
