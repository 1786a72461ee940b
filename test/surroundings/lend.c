// A rank that lends and borrows as it is told on standard input, one word a line; it answers each with a
// line. lend_test.py starts several.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int (*lend)(void);
static void (*reclaim)(void);
static int (*lend_until)(int (*)(void*), void*, const void*);

static void print_cpus(void) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  sched_getaffinity(0, sizeof mask, &mask);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &mask)) printf(" %d", cpu);
}

// The size of a team, and the CPUs of each member.
static void region(void) {
#pragma omp parallel
  {
#pragma omp single
    printf("%d", omp_get_num_threads());
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < omp_get_num_threads(); ++i) {
#pragma omp ordered
      printf(" |"), print_cpus();
    }
  }
  printf("\n");
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A region of about this many milliseconds; tells how many its last member's mask had CPUs at the end.
static void long_region(int ms) {
  int first = -1, last = -1;
#pragma omp parallel
  if (omp_get_thread_num() == omp_get_num_threads() - 1) {
    first = sched_getcpu();
    const double end = seconds() + 1e-3 * ms;
    while (seconds() < end) {
    }
    last = sched_getcpu();
  }
  printf("%d %d\n", first, last);
}

static int passed(void* end) { return seconds() >= *(double*)end; }

// Lends, returns and computes at random for some seconds; each region's sum is checked.
static void live(unsigned seed, double duration) {
  long regions = 0, wide = 0;
  for (const double end = seconds() + duration; seconds() < end;) {
    const int what = rand_r(&seed) % 8;
    if (what == 0) lend(), usleep((unsigned)(rand_r(&seed) % 500)), reclaim();
    if (what == 1) {
      double until = seconds() + 1e-6 * (rand_r(&seed) % 2000);
      if (!lend_until(passed, &until, "live")) exit(3);
    }
    long sum = 0;
    int size = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static)
    for (int i = 0; i < 1000; ++i) {
      sum += i;
      if (i == 0) size = omp_get_num_threads();
    }
    if (sum != 499500) exit(2);
    ++regions;
    wide += size > 1;
  }
  printf("%ld %ld\n", regions, wide);
}

int main(void) {
  *(void**)&lend = dlsym(RTLD_DEFAULT, "vicino_lend");
  *(void**)&reclaim = dlsym(RTLD_DEFAULT, "vicino_reclaim");
  *(void**)&lend_until = dlsym(RTLD_DEFAULT, "vicino_lend_until");
  setvbuf(stdout, NULL, _IOLBF, 0);
  char line[64], word[32];
  while (fgets(line, sizeof line, stdin) != NULL) {
    int a = 0, b = 0;
    if (sscanf(line, "%31s %d %d", word, &a, &b) < 1) continue;
    if (strcmp(word, "lend") == 0) printf("%d\n", lend());
    if (strcmp(word, "reclaim") == 0) reclaim(), printf("\n");
    if (strcmp(word, "region") == 0) region();
    if (strcmp(word, "long") == 0) long_region(a);
    if (strcmp(word, "max") == 0) printf("%d %d\n", omp_get_max_threads(), omp_get_dynamic());
    if (strcmp(word, "live") == 0) live((unsigned)a, 1e-3 * b);
    if (strcmp(word, "inside") == 0) {
      int lent = -1;
#pragma omp parallel num_threads(2)
#pragma omp single
      lent = lend();
      printf("%d\n", lent);
    }
    if (strcmp(word, "child") == 0) {
      fflush(stdout);
      const pid_t child = fork();
      if (child == 0) {
        printf("%d ", lend());
        region();
        exit(0);
      }
      waitpid(child, NULL, 0);
    }
  }
  return 0;
}
