// Two threads pass a flag to each other with atomic and flush, many times.
// test: uses threads=2,4,7
#include <omp.h>
#include <sched.h>

#include "check.h"

enum { kRounds = 2000 };
static int data, flag;

// ThreadSanitizer does not see fences, so in its build the atomics carry the order as well: the
// write in pass() (F1) pairs with the read in wait_for() (F2).
#ifdef __SANITIZE_THREAD__
#define READ read acquire    // F2
#define WRITE write release  // F1
#else
#define READ read
#define WRITE write
#endif

static int wait_for(int want) {
  int now;
  do {
    OMP(atomic READ)
    now = flag;
    if (now != want) sched_yield();
  } while (now != want);
#pragma omp flush
  return data;
}

static void pass(int value, int next) {
  data = value;
#pragma omp flush
  OMP(atomic WRITE)
  flag = next;
}

int main(void) {
#pragma omp parallel num_threads(2)
  for (int round = 0; round < kRounds; ++round) {
    if (omp_get_thread_num() == 0) {
      pass(round, 2 * round + 1);
      CHECK_EQ(wait_for(2 * round + 2), -round);
    } else {
      CHECK_EQ(wait_for(2 * round + 1), round);
      pass(-round, 2 * round + 2);
    }
  }
  return check_result();
}
