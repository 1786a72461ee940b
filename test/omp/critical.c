// critical: one thread at a time for each name; the names are independent, have hints, and are
// nested in each other.
#include <omp.h>
#include <sched.h>

#include "check.h"

enum { kTotal = 2000 };  // for each name; small, because teams may be far larger than the machine
static long unnamed, first, second, hinted, both;
static int inside;

// A plain increment in two steps, sometimes with a yield between them: two threads at once would
// lose an increment.
static void bump(long* counter) {
  long now = *(volatile long*)counter;
  if (now % 16 == 0) sched_yield();
  *(volatile long*)counter = now + 1;
}

static void alone(void) {
  CHECK_EQ(__atomic_add_fetch(&inside, 1, __ATOMIC_RELAXED), 1);
  __atomic_sub_fetch(&inside, 1, __ATOMIC_RELAXED);
}

static void counters(int rounds) {
#pragma omp parallel
  for (int i = 0; i < rounds; ++i) {
#pragma omp critical
    {
      bump(&unnamed);
      alone();
    }
#pragma omp critical(one)
    bump(&first);
#pragma omp critical(two)
    bump(&second);
#pragma omp critical(hints) hint(omp_sync_hint_contended)
    bump(&hinted);
#pragma omp critical(one)
    {
#pragma omp critical(two)
      bump(&both);
    }
  }
}

// Two threads can hold two names at the same time. Each store (P1) pairs with the other thread's
// load (P2).
static void independent(void) {
  int in_a = 0, in_b = 0;
#pragma omp parallel num_threads(2) shared(in_a, in_b)
  if (omp_get_num_threads() == 2) {
    if (omp_get_thread_num() == 0) {
#pragma omp critical(name_a)
      {
        __atomic_store_n(&in_a, 1, __ATOMIC_RELEASE);        // P1
        while (!__atomic_load_n(&in_b, __ATOMIC_ACQUIRE)) {  // P2
        }
      }
    } else {
#pragma omp critical(name_b)
      {
        __atomic_store_n(&in_b, 1, __ATOMIC_RELEASE);        // P1
        while (!__atomic_load_n(&in_a, __ATOMIC_ACQUIRE)) {  // P2
        }
      }
    }
  }
}

int main(void) {
  int threads = omp_get_max_threads(), rounds = 1 + kTotal / threads;
  counters(rounds);
  long all = (long)rounds * threads;
  CHECK_EQ(unnamed, all);
  CHECK_EQ(first, all);
  CHECK_EQ(second, all);
  CHECK_EQ(hinted, all);
  CHECK_EQ(both, all);
  independent();
  return check_result();
}
