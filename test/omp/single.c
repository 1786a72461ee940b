// single: one thread of the team runs the block, whichever comes; the others wait at its end unless
// it has nowait.
#include <omp.h>
#include <unistd.h>

#include "check.h"

static void waits(void) {
  int value = 0;
#pragma omp parallel shared(value)
  for (int round = 1; round <= 200; ++round) {
#pragma omp single
    ++value;
    CHECK_EQ(value, round);
#pragma omp barrier
  }
  CHECK_EQ(value, 200);
}

static void does_not_wait(void) {
  int value = 0;
#pragma omp parallel
  for (int round = 0; round < 500; ++round)
#pragma omp single nowait
    __atomic_fetch_add(&value, 1, __ATOMIC_RELAXED);
  CHECK_EQ(value, 500);
}

static void private_values(void) {
  int p = 3, sum = 0;
#pragma omp parallel
#pragma omp single firstprivate(p)
  {
    p += 4;
    sum += p;
  }
  CHECK_EQ(sum, 7);
  CHECK_EQ(p, 3);
}

static void slow_single(void) {
  int ready = 0;
#pragma omp parallel shared(ready)
  {
#pragma omp single
    {
      usleep(5000);
      ready = 1;
    }
    CHECK_EQ(ready, 1);
  }
}

int main(void) {
  waits();
  does_not_wait();
  private_values();
  slow_single();
  int outside = 0;
#pragma omp single
  ++outside;
  CHECK_EQ(outside, 1);
  return check_result();
}
