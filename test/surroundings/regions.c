// Prints the CPU time in microseconds that 2000 loops of about 100 us of work take, in regions or,
// with the argument `serial`, on one thread; and how often a thread has slept. The second of two
// threads only waits: the program measures what that costs. With the argument `short` there are
// 40,000 loops of about 10 us, and all threads work.
#include <sys/resource.h>
#include <time.h>

#include "../omp/check.h"

enum { kIterations = 200 };
static int regions = 2000, working = kIterations / 2, steps = 700;

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

int main(int count, char** words) {
  int serial = count > 1 && strcmp(words[1], "serial") == 0;
  if (count > 1 && strcmp(words[1], "short") == 0)
    regions = 40000, working = kIterations, steps = 35;
  unsigned long all = 0;
  for (int i = 0; i < regions; ++i) all += serial ? serial_loop(i + 1) : loop(i + 1);
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%ld %lu %ld\n", used.tv_sec * 1000000 + used.tv_nsec / 1000, all, usage.ru_nvcsw);
  return check_result();
}
