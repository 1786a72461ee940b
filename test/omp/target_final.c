// test: peer clang-19 libomp's helper threads run the target tasks of final tasks later
// The target tasks of a final task are not deferred.
#include <omp.h>

#include "check.h"

static int done[100];

int main(void) {
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 100; ++i)
#pragma omp task final(1)
  {
#pragma omp target nowait map(tofrom : done) firstprivate(i)
    ++done[i];
    CHECK_EQ(done[i], 1);
#pragma omp target nowait depend(inout : done[i]) map(tofrom : done) firstprivate(i)
    ++done[i];
    CHECK_EQ(done[i], 2);
  }
  return check_result();
}
