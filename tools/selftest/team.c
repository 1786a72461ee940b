/* team.c: who is in a team, and where it may run. */
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"

enum { kMostCpus = 8192, kMostThreads = 4096 };

static long system_id(void) { return syscall(SYS_gettid); }

/* The CPUs of the calling thread, one byte each; returns how many. */
static int cpus_of_thread(char* has) {
  cpu_set_t* mask = CPU_ALLOC(kMostCpus);
  const size_t size = CPU_ALLOC_SIZE(kMostCpus);
  int count = -1;
  CPU_ZERO_S(size, mask);
  if (sched_getaffinity(0, size, mask) == 0) {
    count = CPU_COUNT_S(size, mask);
    for (int cpu = 0; cpu < kMostCpus; ++cpu) has[cpu] = CPU_ISSET_S(cpu, size, mask) != 0;
  }
  CPU_FREE(mask);
  return count;
}

/* The default team, whose size the caller knows. */
void test_team(void) {
  static long ids[kMostThreads];
  static char own[kMostCpus];
  const int cpus = cpus_of_thread(own);
  const int most = omp_get_max_threads();
  int team = 0, outside = 0, twice = 0, numbers_wrong = 0;
  if (most > kMostThreads) return check("default team", 0, "%d threads", most);
#pragma omp parallel reduction(+ : outside, numbers_wrong)
  {
    char has[kMostCpus];
    const int me = omp_get_thread_num();
#pragma omp single
    team = omp_get_num_threads();
    if (me < 0 || me >= team)
      ++numbers_wrong;
    else
      ids[me] = system_id();
    if (cpus_of_thread(has) > 0)
      for (int cpu = 0; cpu < kMostCpus; ++cpu) outside += has[cpu] && !own[cpu];
  }
  for (int a = 0; a < team; ++a) {
    numbers_wrong += ids[a] == 0;
    for (int b = 0; b < a; ++b) twice += ids[a] == ids[b];
  }
  check_number("threads have the numbers of the team", numbers_wrong, 0);
  check("each member is a thread of its own", twice == 0, "%d pairs of members are one thread",
        twice);
  check("threads keep to the process's CPUs", outside == 0,
        "%d CPUs of threads are not the process's", outside);
  check_number("the team has as many threads as were promised", team, most);
  fact("threads", "%d", team);
  fact("procs", "%d", omp_get_num_procs());
  fact("mask", "%d", cpus);
}

/* Threads are bound to the places that OMP_PLACES names: each to the CPUs of its place. */
void test_places(void) {
  const int places = omp_get_num_places();
  int unbound = 0, elsewhere = 0, alone = 0;
  fact("places", "%d", places);
#pragma omp parallel num_threads(places > 0 ? places : 1) reduction(+ : unbound, elsewhere)
  {
    char has[kMostCpus];
    const int place = omp_get_place_num();
    const int count = cpus_of_thread(has);
    const int expected = place >= 0 ? omp_get_place_num_procs(place) : -1;
    int* ids = expected > 0 ? malloc((size_t)expected * sizeof *ids) : NULL;
    if (ids == NULL || count != expected) {
      ++unbound;
    } else {
      omp_get_place_proc_ids(place, ids);
      for (int i = 0; i < expected; ++i) elsewhere += ids[i] >= kMostCpus || !has[ids[i]];
    }
    free(ids);
#pragma omp critical
    alone += omp_get_thread_num() == place;
  }
  check("there are places", places > 0, "OMP_PLACES was not heeded");
  check("threads are bound", unbound == 0, "%d of %d threads do not have their place's CPUs",
        unbound, places);
  check("threads are in their places", elsewhere == 0, "%d CPUs are not those of the place",
        elsewhere);
  check_number("each place has a thread", alone, places);
}
