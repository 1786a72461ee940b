// depend: chains, readers between writers, and a wavefront whose answers are right only in order.
// test: variant graphs VICINO_TASKGRAPH=site
// test: variant calls VICINO_TASK_CALLS=all threads=2,7
// test: variant drawn VICINO_TASK_CALLS=1 threads=2,7
#include <omp.h>

#include "check.h"

enum { kSide = 24 };

static void chain(void) {
  int value = 0;
  for (int i = 0; i < 100; ++i)
#pragma omp task depend(inout : value) shared(value) firstprivate(i)
  {
    CHECK_EQ(value, i);
    value = i + 1;
  }
#pragma omp taskwait
  CHECK_EQ(value, 100);
}

static void readers_between_writers(void) {
  int value = 0, reads = 0;
  for (int round = 1; round <= 10; ++round) {
#pragma omp task depend(out : value) shared(value) firstprivate(round)
    value = round;
    for (int r = 0; r < 5; ++r)
#pragma omp task depend(in : value) shared(value, reads) firstprivate(round)
    {
      CHECK_EQ(value, round);
      __atomic_fetch_add(&reads, 1, __ATOMIC_RELAXED);
    }
  }
#pragma omp taskwait
  CHECK_EQ(reads, 50);
}

static void wavefront(void) {
  static long cell[kSide][kSide];
  for (int i = 0; i < kSide; ++i) cell[i][0] = cell[0][i] = 1;
  for (int i = 1; i < kSide; ++i)
    for (int j = 1; j < kSide; ++j)
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(out : cell[i][j])
      cell[i][j] = (cell[i - 1][j] + cell[i][j - 1]) % 1000003;
#pragma omp taskwait
  long want[kSide][kSide];
  for (int i = 0; i < kSide; ++i)
    for (int j = 0; j < kSide; ++j)
      want[i][j] = i && j ? (want[i - 1][j] + want[i][j - 1]) % 1000003 : 1;
  CHECK(memcmp(cell, want, sizeof want) == 0);
}

static void undeferred(void) {
  int value = 0;
#pragma omp task depend(out : value) shared(value)
  value = 8;
#pragma omp task depend(in : value) shared(value) if (0)
  CHECK_EQ(value, 8);
#pragma omp taskwait depend(in : value)
  CHECK_EQ(value, 8);
}

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int round = 0; round < 5; ++round) {
    chain();
    readers_between_writers();
    wavefront();
    undeferred();
  }
  return check_result();
}
