// test: uses gcc>14 threads=1,4
// The interop construct, as gcc builds it, where the host is the only device: objects are omp_interop_none before and
// after, in a variable and in an array; a depend clause orders the construct among tasks.
#include <omp.h>

#include "check.h"

int main(void) {
  omp_interop_t object = (omp_interop_t)1, two[2] = {(omp_interop_t)1, (omp_interop_t)1};
#pragma omp interop init(targetsync : object) device(omp_get_initial_device())
  CHECK(object == omp_interop_none);
  CHECK_EQ(omp_get_num_interop_properties(object), 0);
  omp_interop_rc_t code = omp_irc_success;
  CHECK_EQ(omp_get_interop_int(object, omp_ipr_device_num, &code), 0);
  CHECK_EQ(code, omp_irc_empty);
#pragma omp interop init(target, targetsync, prefer_type({fr("hip")}) : two[1], two[0]) \
    device(omp_initial_device)
  CHECK(two[0] == omp_interop_none && two[1] == omp_interop_none);
#pragma omp interop use(object)
#pragma omp interop destroy(object, two[0])
  CHECK(object == omp_interop_none);
  int steps = 0;
#pragma omp parallel
#pragma omp single
  for (int turn = 0; turn < 20; ++turn) {
#pragma omp task depend(inout : steps) shared(steps)
    ++steps;
#pragma omp interop init(targetsync : object) depend(inout : steps)
    CHECK_EQ(steps, 2 * turn + 1);  // the construct has waited
#pragma omp interop destroy(object) depend(inout : steps) nowait
#pragma omp task depend(inout : steps) shared(steps)
    ++steps;
#pragma omp taskwait
    CHECK_EQ(steps, 2 * turn + 2);
  }
  return check_result();
}
