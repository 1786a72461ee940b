// test: peer gcc-12 libgomp sometimes crashes
// Target tasks: nowait and depend clauses order target regions and constructs that move data among
// ordinary tasks, and what waits for tasks waits for these.
//
// Without offloading clang leaves out constructs that move data, with their place among the tasks.
#include <omp.h>

#include "check.h"

#ifdef __clang__
enum { kMovesData = 0 };
#else
enum { kMovesData = 1 };
#endif
enum { kChain = 60 };

// Each step finds what the step before it has left, whatever kind of task that was.
static void chain(void) {
  int step = 0, data[4] = {0};
  for (int i = 0; i < kChain; i += 3) {
#pragma omp target nowait depend(inout : step) map(tofrom : step) firstprivate(i)
    {
      CHECK_EQ(step, i);
      ++step;
      i = -1;
    }
#pragma omp task depend(inout : step) shared(step) firstprivate(i)
    {
      CHECK_EQ(step, i + 1);
      ++step;
    }
#pragma omp target enter data map(to : data) nowait depend(inout : step)
#pragma omp target update to(data[1 : 2]) nowait depend(inout : step)
#pragma omp target exit data map(from : data) nowait depend(inout : step)
    if (i % 2) {
#pragma omp target depend(inout : step) map(tofrom : step) firstprivate(i)
      {
        CHECK_EQ(step, i + 2);
        ++step;
      }
      // The region before was not deferred, so all has been done.
      CHECK_EQ(step, i + 3);
    } else {
#pragma omp target nowait depend(inout : step) map(tofrom : step) firstprivate(i)
      {
        CHECK_EQ(step, i + 2);
        ++step;
      }
    }
  }
#pragma omp taskwait
  CHECK_EQ(step, kChain);
}

// Many readers between two writers, and constructs that move data where the writer is awaited.
static void readers(void) {
  int value = 0, sum = 0, moved = 0;
#pragma omp task depend(out : value) shared(value)
  value = 7;
  for (int i = 0; i < 40; ++i)
#pragma omp target nowait depend(in : value) map(tofrom : sum) map(to : value)
#pragma omp atomic
    sum += value;
#pragma omp target update from(value) depend(in : value)
  if (kMovesData) CHECK_EQ(value, 7);
#pragma omp target nowait depend(out : value) map(tofrom : value)
  value = 8;
#pragma omp target enter data map(to : moved) depend(in : value)
  if (kMovesData) CHECK_EQ(value, 8);
#pragma omp target exit data map(release : moved) depend(in : value)
#pragma omp taskwait
  CHECK_EQ(value, 8);
  CHECK_EQ(sum, 280);
}

// firstprivate copies are made when the task is generated, though it runs later.
static void copies(void) {
  int sum = 0, gate = 0, block[100];
#pragma omp task depend(out : gate) shared(gate)
  for (volatile int i = 0; i < 2000; ++i) gate = 1;
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 100; ++j) block[j] = i;
#pragma omp target nowait depend(in : gate) firstprivate(i, block) map(tofrom : sum)
#pragma omp atomic
    sum += block[i] + block[99] - i;
  }
  memset(block, 0, sizeof block);
#pragma omp taskwait
  CHECK_EQ(sum, 190);
}

// Constructs whose dependences nobody has named before have nothing to wait for.
static void alone(void) {
  int a = 1, b = 0;
#pragma omp target enter data map(to : a) nowait depend(out : a)
#pragma omp target map(tofrom : b) depend(in : a) depend(out : b)
  b = a;
#pragma omp target exit data map(from : a) depend(inout : a)
  CHECK_EQ(b, 1);
}

static void all(void) {
  chain();
  readers();
  copies();
  alone();
}

int main(void) {
  for (int round = 0; round < 10; ++round) {
    all();  // outside of any region
#pragma omp parallel
#pragma omp single
    all();
  }
  // Members generate target tasks at the same time; the barrier waits for them.
  int sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 500; ++i)
#pragma omp target nowait firstprivate(i) map(tofrom : sum)
#pragma omp atomic
    sum += i;
#pragma omp parallel
  {
#pragma omp target nowait map(tofrom : sum)
#pragma omp atomic
    ++sum;
#pragma omp barrier
    CHECK_EQ(sum, 500 * 499 / 2 + omp_get_num_threads());
  }
  return check_result();
}
