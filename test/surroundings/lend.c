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

// One thread does the work of two unless another comes while it lasts: `count` regions of one loop each, of
// about so many microseconds on one core. Tells in how many of them members ran on different CPUs.
static void shared(int count, int us) {
  enum { kPieces = 200 };
  int found = 0;
  for (int i = 0; i < count; ++i) {
    int used[CPU_SETSIZE] = {0}, cpus = 0;
    long sum = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int piece = 0; piece < kPieces; ++piece) {
      const double end = seconds() + 1e-6 * us / kPieces;
      while (seconds() < end) {
      }
      __atomic_store_n(&used[sched_getcpu()], 1, __ATOMIC_RELAXED);
      sum += piece;
    }
    if (sum != kPieces * (kPieces - 1) / 2) exit(2);
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) cpus += used[cpu];
    found += cpus > 1;
  }
  printf("%d\n", found);
}

static double own_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Waits for so many milliseconds; tells the part of them that the thread ran, in percent.
static void wait_for(int ms) {
  const double used = own_seconds();
  double until = seconds() + 1e-3 * ms;
  if (!lend_until(passed, &until, "wait")) exit(3);
  printf("%.0f\n", 1e5 * (own_seconds() - used) / ms);
}

// Computes for `us` and lends for `us`, for some seconds.
static void pulse(int us, double duration) {
  for (const double end = seconds() + duration; seconds() < end;) {
    double until = seconds() + 1e-6 * us;
    if (!lend_until(passed, &until, "pulse")) exit(3);
    for (until += 1e-6 * us; seconds() < until;) {
    }
  }
  printf("\n");
}

static void compute(int us) {
  const double end = seconds() + 1e-6 * us;
  while (seconds() < end) {
  }
}

// Bodies with one loop of 100 iterations of `us` together, and something after it that each member has to
// do, or for which members meet. Now and then there is a second loop. Tells how many teams had two members.
static void bodies(int us, double duration) {
  enum { kLoop = 100, kSum = kLoop * (kLoop - 1) / 2 };
  int wide = 0, at = 0;
  for (const double end = seconds() + duration; seconds() < end; ++at) {
    const int second = at % 16 == 15;
    int runs = 0, size = 0, met = 0, next = 0, tasks = 0;
    long sum = 0, more = 0;
    // Each member runs the body to its end.
#pragma omp parallel reduction(+ : sum, more)
    {
#pragma omp for schedule(runtime) nowait
      for (int i = 0; i < kLoop; ++i) compute(us / kLoop), sum += i;
      for (int k = 0; k < 20 * second; ++k) {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < kLoop; ++i) more += i;
      }
      if (omp_get_thread_num() == 0) size = omp_get_num_threads();
#pragma omp atomic
      ++runs;
    }
    if (runs != size || sum != kSum || more != 20 * second * kSum) exit(4);
    wide += size > 1;
    // All of them meet at a barrier.
#pragma omp parallel
    {
#pragma omp atomic
      ++met;
#pragma omp for schedule(dynamic)
      for (int i = 0; i < kLoop; ++i) compute(us / kLoop);
      if (__atomic_load_n(&met, __ATOMIC_RELAXED) != omp_get_num_threads()) exit(5);
    }
    // An iteration waits for the one before, which another member may have.
#pragma omp parallel
#pragma omp for schedule(static, 1) ordered
    for (int i = 0; i < kLoop; ++i) {
      compute(us / kLoop);
#pragma omp ordered
      if (next++ != i) exit(6);
    }
#pragma omp parallel
    {
#pragma omp for schedule(runtime) nowait
      for (int i = 0; i < kLoop; ++i) compute(us / kLoop);
#pragma omp task
#pragma omp atomic
      ++tasks;
#pragma omp taskwait
      if (omp_get_thread_num() == 0) size = omp_get_num_threads();
    }
    if (tasks != size) exit(7);
  }
  printf("%d\n", wide);
}

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
    if (strcmp(word, "shared") == 0) shared(a, b);
    if (strcmp(word, "wait") == 0) wait_for(a);
    if (strcmp(word, "pulse") == 0) pulse(a, 1e-3 * b);
    if (strcmp(word, "bodies") == 0) bodies(a, 1e-3 * b);
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
