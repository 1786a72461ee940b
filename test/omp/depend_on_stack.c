// Each thread of a team makes tasks with dependences of its own and waits for some of them, all at once: whatever
// the runtime keeps of a wait must not be on a stack that the thread uses again while another thread ends the task
// that was waited for.
// test: uses threads=2,4,8
// test: variant graphs VICINO_TASKGRAPH=site
// test: variant calls VICINO_TASK_CALLS=all
#include <omp.h>

#include "check.h"

enum { kRounds = 2000, kBytes = 700 };

// Overwrites what calls before have left on the stack.
__attribute__((noinline)) static int overwrite(int value) {
  volatile unsigned char room[kBytes];
  for (int i = 0; i < kBytes; ++i) room[i] = (unsigned char)(value + i);
  return room[value % kBytes];
}

static int one_of_many(int round) {
  int first = 0, second = 0, both = 0;
#pragma omp task depend(out : first) shared(first)
  first = 3;
#pragma omp task depend(out : second) shared(second)
  second = 4;
#pragma omp task depend(in : first) depend(inout : second) depend(out : both) \
    shared(first, second, both)
  {
    both = first * second;
    second = 9;
  }
#pragma omp taskwait depend(in : first)
  CHECK_EQ(first, 3);
  int left = overwrite(round);
#pragma omp taskwait depend(in : both)
  CHECK_EQ(both, 12);
  left += overwrite(round + 1);
#pragma omp task if (0) depend(inout : second) shared(second)
  {
    CHECK_EQ(second, 9);
    second = 10;
  }
  left += overwrite(round + 2);
#pragma omp task depend(inout : second) shared(second)
  ++second;
#pragma omp taskwait depend(in : first, second, both)
  CHECK_EQ(second, 11);
  return left;
}

int main(void) {
  int left = 0;
#pragma omp parallel reduction(+ : left)
  for (int round = 0; round < kRounds; ++round) left += one_of_many(round);
  CHECK(left > 0);
  return check_result();
}
