// Prints the CPU time in microseconds that the process uses between 100 and 400 ms after a region.
#include <time.h>
#include <unistd.h>

#include "../omp/check.h"

static long used_us(void) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return used.tv_sec * 1000000 + used.tv_nsec / 1000;
}

int main(void) {
  // Regions follow each other quickly, so the runtime learns that polling pays.
  for (int round = 0; round < 200; ++round) {
#pragma omp parallel
    {
#pragma omp barrier
    }
  }
  usleep(100000);
  long before = used_us();
  usleep(300000);
  printf("%ld\n", used_us() - before);
  return 0;
}
