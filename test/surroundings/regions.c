// Prints the CPU time in microseconds that 2000 loops of about 100 us of work take, in regions or,
// with the argument `serial`, on one thread. The second of two threads only waits: the program
// measures what that costs.
#include <time.h>

#include "../omp/check.h"

enum { kRegions = 2000, kIterations = 200 };

__attribute__((noinline)) static unsigned long work(int i, unsigned long x) {
  if (i >= kIterations / 2) return 0;
  for (int step = 0; step < 700; ++step) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
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
  unsigned long all = 0;
  for (int i = 0; i < kRegions; ++i) all += serial ? serial_loop(i + 1) : loop(i + 1);
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  printf("%ld %lu\n", used.tv_sec * 1000000 + used.tv_nsec / 1000, all);
  return check_result();
}
