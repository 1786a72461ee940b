// A thread that has run a child, and whose suspended parent was stolen, asks the thief first: it
// takes the parent although other threads have tasks, too. Only clang's untied tasks are suspended
// where another thread can take them.
// test: uses VICINO_TASK_CALLS=none
// test: uses clang threads=4 VICINO_TASKS=work_first
// test: variant by_number clang VICINO_TASKS=dfwspt
// test: variant by_distance clang VICINO_TASKS=dfwsrpt
// test: peer clang-19 libomp has another order
#include <omp.h>
#include <sched.h>

#include "check.h"

enum { kRounds = 20, kGiveUp = 5000000 };
enum { kFirst = 0, kThief = 3 };  // thread numbers; the other threads generate decoys

enum Step { kNone, kFirstChildRuns, kSecondChildRuns, kTaken };
static int step, decoys, taken_parent;

static void reach(int next) { __atomic_store_n(&step, next, __ATOMIC_RELEASE); }
static void await(const int* number, int wanted) {
  for (int i = 0; __atomic_load_n(number, __ATOMIC_ACQUIRE) < wanted; ++i) {
    if (i == kGiveUp) fprintf(stderr, "a thread waits in vain\n"), _Exit(1);
    sched_yield();
  }
}

// Tells what the thread with the first child takes next.
static void note(int is_parent) {
  if (omp_get_thread_num() != kFirst || __atomic_load_n(&step, __ATOMIC_ACQUIRE) == kTaken) return;
  taken_parent += is_parent;
  reach(kTaken);
}

// Each child runs at once, and the parent waits in the deque of the thread that runs the child.
static void first_task(void) {
#pragma omp task untied
  {
#pragma omp task
    {
      reach(kFirstChildRuns);
      await(&decoys, 2);
    }
#pragma omp task
    {
      reach(kSecondChildRuns);
      await(&step, kTaken);
    }
    note(1);
  }
}

static void round_of_four(void) {
  step = kNone, decoys = 0;
#pragma omp parallel num_threads(4)
  {
    const int me = omp_get_thread_num();
    if (me == kFirst) {
      first_task();
    } else if (me == kThief) {
      await(&step, kFirstChildRuns);
    } else {
      await(&step, kSecondChildRuns);
#pragma omp task
      note(0);
      __atomic_fetch_add(&decoys, 1, __ATOMIC_RELEASE);
      await(&step, kTaken);
    }
  }
}

int main(void) {
  for (int i = 0; i < kRounds; ++i) round_of_four();
  CHECK_EQ(taken_parent, kRounds);
  return check_result();
}
