// Prints the CPU time in microseconds that 2000 loops of about 100 us of work take, in regions or,
// with the argument `serial`, on one thread; and how often a thread has slept. The second of two
// threads only waits: the program measures what that costs. With the argument `short` there are
// 40,000 loops of about 10 us, and all threads work. With the argument `roots`, six threads of the program share the
// loops, each with a team of its own.
#include <pthread.h>
#include <sys/resource.h>
#include <time.h>

#include "../omp/check.h"

enum { kIterations = 200, kRoots = 6 };
static int regions = 2000, working = kIterations / 2, steps = 700, serial = 0;

__attribute__((noinline)) static unsigned long work(int i, unsigned long x) {
  if (i >= working) return 0;
  for (int step = 0; step < steps; ++step) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  return x;
}

static unsigned long loop(unsigned long start) {
  unsigned long all = 0;
#pragma omp parallel for schedule(static) reduction(^ : all)
  for (int i = 0; i < kIterations; ++i) all ^= work(i, start + i);
  return all;
}

static unsigned long serial_loop(unsigned long start) {
  unsigned long all = 0;
  for (int i = 0; i < kIterations; ++i) all ^= work(i, start + i);
  return all;
}

// The loops of one of `count` threads, and what they have computed.
typedef struct {
  int first, count;
  unsigned long all;
} Part;

static void* run_part(void* given) {
  Part* part = given;
  for (int i = part->first; i < regions; i += part->count)
    part->all ^= serial ? serial_loop(i + 1) : loop(i + 1);
  return NULL;
}

static unsigned long run_roots(void) {
  pthread_t threads[kRoots];
  Part parts[kRoots];
  unsigned long all = 0;
  for (int i = 0; i < kRoots; ++i) {
    parts[i] = (Part){i, kRoots, 0};
    CHECK_EQ(pthread_create(&threads[i], NULL, run_part, &parts[i]), 0);
  }
  for (int i = 0; i < kRoots; ++i) {
    pthread_join(threads[i], NULL);
    all ^= parts[i].all;
  }
  return all;
}

int main(int count, char** words) {
  int roots = 0;
  for (int i = 1; i < count; ++i) {
    if (strcmp(words[i], "serial") == 0) serial = 1;
    if (strcmp(words[i], "roots") == 0) roots = 1;
    if (strcmp(words[i], "short") == 0) regions = 40000, working = kIterations, steps = 35;
  }
  Part part = {0, 1, 0};
  if (roots)
    part.all = run_roots();
  else
    run_part(&part);
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%ld %lu %ld\n", used.tv_sec * 1000000 + used.tv_nsec / 1000, part.all, usage.ru_nvcsw);
  return check_result();
}
