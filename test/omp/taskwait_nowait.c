// test: uses clang>15 gcc>12
// A taskwait with dependences and nowait is an empty task: who generates it goes on, a task with such a
// dependence waits for those before it, and a taskgroup and a taskwait wait for it as for any other.
#include <omp.h>
#include <sched.h>

#include "check.h"

enum { kReaders = 12, kRounds = 30 };

static int cell[kReaders], memory;

// Tasks that are held up until the region's thread has generated all of them, and then a little.
static void begin_readers(int round) {
  for (int i = 0; i < kReaders; ++i) {
#pragma omp task depend(in : memory) firstprivate(i)
    {
      for (int turn = 0; turn < 20; ++turn) sched_yield();
#pragma omp atomic write
      cell[i] = round;
    }
  }
}

static int is_behind(int round) {
  int behind = 0;
  for (int i = 0; i < kReaders; ++i) {
    int seen;
#pragma omp atomic read
    seen = cell[i];
    behind += seen != round;
  }
  return behind;
}

static void rounds(void) {
  for (int round = 1; round <= kRounds; ++round) {
    // The readers do not belong to the group; what waits for them does.
    begin_readers(3 * round);
#pragma omp taskgroup
    {
#pragma omp taskwait depend(inout : memory) nowait
    }
    CHECK_EQ(is_behind(3 * round), 0);

    begin_readers(3 * round + 1);
#pragma omp taskgroup
    {
#pragma omp taskwait depend(out : memory) nowait
#pragma omp task depend(in : memory)
      CHECK_EQ(is_behind(3 * round + 1), 0);
    }
    CHECK_EQ(is_behind(3 * round + 1), 0);

    begin_readers(3 * round + 2);
#pragma omp taskwait depend(inout : memory) nowait
#pragma omp taskwait
    CHECK_EQ(is_behind(3 * round + 2), 0);
  }
}

int main(void) {
#pragma omp parallel
#pragma omp single
  rounds();
  return check_result();
}
