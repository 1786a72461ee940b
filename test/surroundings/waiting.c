// Prints the CPU time in microseconds that a team takes while all but one of its threads wait, for half a second
// in all, in the way that the argument names.
#include <omp.h>
#include <time.h>
#include <unistd.h>

#include "../omp/check.h"

enum { kThreads = 8, kLongUs = 500000, kShortUs = kLongUs / kThreads };

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;

// In each, one thread sleeps at a time.
static void at_barrier(void) {
#pragma omp masked
  usleep(kLongUs);
#pragma omp barrier
}
static void at_single(void) {
#pragma omp single
  usleep(kLongUs);
}
static void in_ordered(void) {
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < kThreads; ++i) {
#pragma omp ordered
    usleep(kShortUs);
  }
}
static void in_doacross(void) {
#pragma omp for ordered(1) schedule(static, 1)
  for (int i = 0; i < kThreads; ++i) {
#pragma omp ordered depend(sink : i - 1)
    usleep(kShortUs);
#pragma omp ordered depend(source)
  }
}
static void in_critical(void) {
#pragma omp critical
  usleep(kShortUs);
}
static void for_lock(void) {
  omp_set_lock(&lock);
  usleep(kShortUs);
  omp_unset_lock(&lock);
}
static void for_nest_lock(void) {
  omp_set_nest_lock(&nest_lock);
  usleep(kShortUs);
  omp_unset_nest_lock(&nest_lock);
}
static void at_taskwait(void) {
#pragma omp single
  {
#pragma omp task
    usleep(kLongUs);
#pragma omp taskwait
  }
}
static void at_taskgroup(void) {
#pragma omp single
#pragma omp taskgroup
  {
#pragma omp task
    usleep(kLongUs);
  }
}
static void for_dependences(void) {
  static int chain;
#pragma omp single
  for (int i = 0; i < kThreads; ++i) {
#pragma omp task depend(inout : chain)
    usleep(kShortUs);
  }
}

static const struct {
  const char* name;
  void (*run)(void);
} kWays[] = {{"barrier", at_barrier},      {"single", at_single},
             {"ordered", in_ordered},      {"doacross", in_doacross},
             {"critical", in_critical},    {"lock", for_lock},
             {"nest_lock", for_nest_lock}, {"taskwait", at_taskwait},
             {"taskgroup", at_taskgroup},  {"dependences", for_dependences}};

static long used_us(void) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

int main(int count, char** words) {
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest_lock);
#pragma omp parallel num_threads(kThreads)
  {
  }
  for (unsigned i = 0; count > 1 && i < sizeof kWays / sizeof *kWays; ++i) {
    if (strcmp(words[1], kWays[i].name) != 0) continue;
    const long before = used_us();
#pragma omp parallel num_threads(kThreads)
    kWays[i].run();
    printf("%ld\n", used_us() - before);
    return 0;
  }
  return 1;
}
