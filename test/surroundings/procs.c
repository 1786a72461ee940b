// Checks that omp_get_num_procs() follows the mask that the program gives to the calling thread, and does not
// follow what the runtime makes of it. Needs two CPUs. The argument is the number that the runtime allows.
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "../omp/check.h"

static cpu_set_t whole;
static int all;

// The last CPUs of the process's: the initial thread's place, where it has one, is the first.
static void keep(int count) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (int cpu = CPU_SETSIZE - 1; cpu >= 0 && count > 0; --cpu)
    if (CPU_ISSET(cpu, &whole)) {
      CPU_SET(cpu, &mask);
      --count;
    }
  CHECK_EQ(sched_setaffinity(0, sizeof mask, &mask), 0);
}

static void* thread(void* unused) {
  CHECK_EQ(omp_get_num_procs(), all);
  keep(1);
  CHECK_EQ(omp_get_num_procs(), 1);
  return unused;
}

static void region(void) {
  int threads = 0;
#pragma omp parallel reduction(+ : threads)
  {
    ++threads;
    CHECK_EQ(omp_get_num_procs(), all);
  }
  CHECK_EQ(threads, omp_get_max_threads());
  CHECK_EQ(omp_get_num_procs(), all);
}

int main(int count, char** words) {
  CHECK_EQ(count, 2);
  all = atoi(words[1]);
  CPU_ZERO(&whole);
  sched_getaffinity(0, sizeof whole, &whole);
  CHECK_EQ(omp_get_num_procs(), all);
  region();
  pthread_t started;
  CHECK_EQ(pthread_create(&started, NULL, thread, NULL), 0);
  pthread_join(started, NULL);
  CHECK_EQ(omp_get_num_procs(), all);
  const int threads = omp_get_max_threads();
  keep(1);
  CHECK_EQ(omp_get_num_procs(), 1);
  CHECK_EQ(omp_get_max_threads(), threads);
  keep(CPU_COUNT(&whole));
  CHECK_EQ(omp_get_num_procs(), all);
  region();
  return check_result();
}
