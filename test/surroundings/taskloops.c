// Taskloops that the tuner divides among nodes, with and without a clause for the tasks, with checked
// answers; also while the other threads run no tasks until the taskloop has ended.
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { kTrip = 256 };
static unsigned char seen[kTrip];
static int wrong;

static void spin(double seconds) {
  const double end = omp_get_wtime() + seconds;
  while (omp_get_wtime() < end) {
  }
}

static void iteration(int i, double seconds) {
  spin(seconds);
#pragma omp atomic
  ++seen[i];
}

static void check(void) {
  for (int i = 0; i < kTrip; ++i) wrong += seen[i] != 1;
  memset(seen, 0, sizeof seen);
}

static void taskloops(double seconds) {
#pragma omp taskloop
  for (int i = 0; i < kTrip; ++i) iteration(i, seconds);
  check();
#pragma omp taskloop num_tasks(20)
  for (int i = 0; i < kTrip; ++i) iteration(i, seconds);
  check();
}

int main(void) {
  for (int round = 0; round < 60; ++round) {
#pragma omp parallel
#pragma omp single
    taskloops(1e-6);
  }
  int done = 0;
#pragma omp parallel
  {
#pragma omp masked
    {
      for (int round = 0; round < 20; ++round) taskloops(1e-6);
#pragma omp atomic write
      done = 1;
    }
    for (int is_done = 0; !is_done;) {
#pragma omp atomic read
      is_done = done;
    }
  }
  if (wrong == 0) return 0;
  fprintf(stderr, "%d iterations were not run once\n", wrong);
  return 1;
}
