// KMP_HW_SUBSET: the program has one processor, and its threads and those that it starts run there.
// test: uses KMP_HW_SUBSET=1s,1c,1t
// test: peer gcc-12 libgomp has no such setting
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>

#include "check.h"

static int processors(void) {
  cpu_set_t mask;
  return sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : -1;
}

static void* region(void* whole) {
  CHECK_EQ(omp_get_num_procs(), 1);
#pragma omp parallel num_threads(3)
  CHECK_EQ(processors(), 1);
  return whole;
}

int main(void) {
  CHECK_EQ(omp_get_num_procs(), 1);
  region(NULL);
  pthread_t other;
  CHECK_EQ(pthread_create(&other, NULL, region, NULL), 0);
  pthread_join(other, NULL);
  return check_result();
}
