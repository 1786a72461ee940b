// where.c: prints where the threads of regions are, as the kernel says.
//
//   where [THREADS]...    a region for each number; 0 or no number: as many threads as by default
//
// It prints a line "region SIZE" and one line for each thread, "THREAD place P mask CPUS seen
// CPUS". The mask is sched_getaffinity's; `seen` are the CPUs that sched_getcpu named while the
// other threads worked, too.
#define _GNU_SOURCE
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

#include "cpus.h"

enum { kMostThreads = 256, kLooks = 40 };

struct seen {
  int place;
  cpu_set_t mask, cpus;
};
static struct seen seen[kMostThreads];

static void look(struct seen* mine) {
  mine->place = omp_get_place_num();
  sched_getaffinity(0, sizeof mine->mask, &mine->mask);
  CPU_ZERO(&mine->cpus);
  for (int i = 0; i < kLooks; ++i) {
    CPU_SET(sched_getcpu(), &mine->cpus);
    if (i % 4 == 3) {
#pragma omp barrier
    } else {
      sched_yield();
    }
  }
}

static void region(int threads) {
  int size = 0;
#pragma omp parallel num_threads(threads)
  {
    look(&seen[omp_get_thread_num()]);
#pragma omp single
    size = omp_get_num_threads();
  }
  printf("region %d\n", size);
  for (int i = 0; i < size; ++i) {
    printf("%d place %d mask ", i, seen[i].place);
    print_cpus(&seen[i].mask);
    printf(" seen ");
    print_cpus(&seen[i].cpus);
    printf("\n");
  }
}

int main(int count, char** words) {
  if (count < 2) region(omp_get_max_threads());
  for (int i = 1; i < count; ++i) {
    const int asked = atoi(words[i]);
    region(asked > 0 ? asked : omp_get_max_threads());
  }
  return 0;
}
