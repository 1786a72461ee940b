// abort() by one thread ends the process at once, as it does without OpenMP.
// test: exit -6
#include <omp.h>
#include <sys/resource.h>

#include "check.h"

int main(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
#pragma omp parallel
  {
    if (omp_get_thread_num() == omp_get_num_threads() - 1) abort();
#pragma omp barrier
  }
  return 1;
}
