// Untied tasks that wait do not come to lie on top of each other without end, whichever task a thread
// finds first: the stacks are small.
// test: uses threads=2
// test: variant oldest_first VICINO_TASKS=breadth_first OMP_STACKSIZE=256K
// test: variant small_stack OMP_STACKSIZE=256K
#include "check.h"

enum { kBranches = 8, kDepth = 5, kLeaves = 1 << 15 };

static long leaves(int depth) {
  if (depth == 0) return 1;
  long of_branch[kBranches], sum = 0;
  for (int i = 0; i < kBranches; ++i) {
#pragma omp task untied shared(of_branch) firstprivate(i)
    of_branch[i] = leaves(depth - 1);
  }
#pragma omp taskwait
  for (int i = 0; i < kBranches; ++i) sum += of_branch[i];
  return sum;
}

int main(void) {
  for (int round = 0; round < 3; ++round) {
    long found = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    found = leaves(kDepth);
    CHECK_EQ(found, kLeaves);
  }
  return check_result();
}
