// spend cycles|energy|time N [taskloop|region|tasks]: runs a loop, or the named construct, N times.
// Two threads take half the time but more cycles or energy: all threads but the first one waste CPU
// time, or energy, in each iteration. The energy in microjoules is written to the file that
// ENERGY_FILE names, and wraps around to 0 at ENERGY_RANGE.
#define _GNU_SOURCE
#include <fcntl.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { kTrip = 20 };

static int file = -1;
static unsigned long long energy, range;

static void show(void) {
  char text[32];
  const int length = snprintf(text, sizeof text, "%020llu\n", energy);
  if (pwrite(file, text, (size_t)length, 0) != length) abort();
}

static void use(unsigned long long microjoules) {
#pragma omp critical
  {
    energy = (energy + microjoules) % range;
    show();
  }
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void take(double seconds, int awake) {
  const double end = now() + seconds;
  if (!awake) {
    const struct timespec nap = {0, (long)(seconds * 1e9)};
    nanosleep(&nap, NULL);
  }
  while (awake && now() < end) {
  }
}

static int cycles;

static void iterate(int* n) {
  const int extra = omp_get_thread_num() != 0;
  if (file >= 0) use(extra ? 100000 : 10000);
  take(2e-3, cycles && extra);
#pragma omp atomic
  ++*n;
}

static int loop(void) {
  int n = 0;
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < kTrip; ++i) iterate(&n);
  return n;
}

static int region(void) {
  int n = 0;
#pragma omp parallel
  for (int i = omp_get_thread_num(); i < kTrip; i += omp_get_num_threads()) iterate(&n);
  return n;
}

// The region's tasks are run at its last barrier.
static int tasks(void) {
  int n = 0;
#pragma omp parallel
#pragma omp master
  for (int i = 0; i < kTrip; ++i) {
#pragma omp task shared(n)
    iterate(&n);
  }
  return n;
}

static int taskloop(void) {
  int n = 0;
#pragma omp taskloop shared(n)
  for (int i = 0; i < kTrip; ++i) iterate(&n);
  return n;
}

static int repeat(int times, int (*once)(void)) {
  for (int t = 0; t < times; ++t)
    if (once() != kTrip) return 1;
  return 0;
}

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) return 2;
  const int times = atoi(argv[2]);
  cycles = strcmp(argv[1], "cycles") == 0;
  if (strcmp(argv[1], "energy") == 0) {
    file = open(getenv("ENERGY_FILE"), O_WRONLY);
    if (file < 0) return 3;
    range = strtoull(getenv("ENERGY_RANGE"), NULL, 10);
    energy = range / 2;
    show();
  }
  if (argc == 3) return repeat(times, loop);
  if (strcmp(argv[3], "region") == 0) return repeat(times, region);
  if (strcmp(argv[3], "tasks") == 0) return repeat(times, tasks);
  int wrong = 0;
#pragma omp parallel
#pragma omp master
  wrong = repeat(times, taskloop);
  return wrong;
}
