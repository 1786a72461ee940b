// Every type of dependence, in every order of two and three: the tasks on one address form phases.
// test: variant graphs VICINO_TASKGRAPH=site
#include <omp.h>

#include "check.h"

enum { kPhases = 200, kMost = 6 };

// For each phase that a seed gives: how many of its tasks are done, how many there are, the type of
// their dependence, and how many are running.
static int done[kPhases], size[kPhases], type[kPhases], inside[kPhases];

static unsigned next_random(unsigned* state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

// All tasks of the phase before are done and none of the phase after has begun. As each task checks
// it, the same holds for phases further away.
static void body(int phase) {
  if (phase > 0) CHECK_EQ(__atomic_load_n(&done[phase - 1], __ATOMIC_RELAXED), size[phase - 1]);
  if (phase + 1 < kPhases) CHECK_EQ(__atomic_load_n(&done[phase + 1], __ATOMIC_RELAXED), 0);
  const int others = __atomic_fetch_add(&inside[phase], 1, __ATOMIC_RELAXED);
  if (type[phase] == 2) CHECK_EQ(others, 0);
  __atomic_fetch_sub(&inside[phase], 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&done[phase], 1, __ATOMIC_RELAXED);
}

static void generate(int phase, int* x) {
  switch (type[phase]) {
    case 0:
#pragma omp task depend(inout : *x)
      body(phase);
      break;
    case 1:
#pragma omp task depend(in : *x)
      body(phase);
      break;
    case 2:
#pragma omp task depend(mutexinoutset : *x)
      body(phase);
      break;
#ifdef HAS_INOUTSET
    case 3:
#pragma omp task depend(inoutset : *x)
      body(phase);
      break;
#endif
  }
}

static void phases(unsigned seed, int types) {
  int x = 0;
  for (int p = 0; p < kPhases; ++p) {
    done[p] = 0;
    do type[p] = (int)(next_random(&seed) % (unsigned)types);
    while (p > 0 && type[p] == type[p - 1] && type[p] != 0);  // the two would be one phase
    size[p] = type[p] == 0 ? 1 : 1 + (int)(next_random(&seed) % kMost);
  }
  for (int p = 0; p < kPhases; ++p)
    for (int i = 0; i < size[p]; ++i) generate(p, &x);
#pragma omp taskwait
  CHECK_EQ(done[kPhases - 1], size[kPhases - 1]);
}

// A task may name an address more than once; with different types it is a writer.
static void named_twice(void) {
  int x = 0, y = 0;
  for (int i = 0; i < 50; ++i) {
#pragma omp task depend(in : x) depend(out : x) depend(in : y) shared(x) firstprivate(i)
    {
      CHECK_EQ(x, i);
      x = i + 1;
    }
#pragma omp task depend(in : y, y) depend(in : x, x) shared(x) firstprivate(i)
    CHECK_EQ(x, i + 1);
  }
#pragma omp taskwait
  CHECK_EQ(x, 50);
}

// Dependences order siblings only: a child is free to run while its parent waits for it.
static void levels(void) {
  int x = 0;
  for (int i = 0; i < 20; ++i)
#pragma omp task depend(inout : x) shared(x) firstprivate(i)
  {
    CHECK_EQ(x, i);
    for (int j = 0; j < 3; ++j)
#pragma omp task depend(inout : x) shared(x) firstprivate(i, j)
      CHECK_EQ(x, i);
#pragma omp taskwait
    x = i + 1;
  }
#pragma omp taskwait
  CHECK_EQ(x, 20);
}

// Only their dependences order the tasks, and all are done at the barrier.
static void barriers(void) {
  static int value;
#pragma omp barrier
#pragma omp single nowait
  value = 0;
#pragma omp barrier
#pragma omp single nowait
  for (int i = 0; i < 40; ++i)
#pragma omp task depend(inout : value) firstprivate(i)
  {
    CHECK_EQ(value, i);
    ++value;
  }
#pragma omp barrier
  CHECK_EQ(value, 40);
}

int main(void) {
#ifdef HAS_INOUTSET
  const int types = 4;
#else
  const int types = 3;
#endif
#pragma omp parallel
  {
    for (int round = 0; round < 5; ++round) barriers();
#pragma omp single
    for (unsigned seed = 0; seed < 20; ++seed) {
      phases(seed, types);
      named_twice();
      levels();
    }
  }
  return check_result();
}
