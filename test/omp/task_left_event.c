// Outside of any region: a task that waited for another one by its dependence runs when that one's event is fulfilled, and
// what waits for a further one stays.
// test: peer gcc-12 libgomp-12 hangs
#include <omp.h>

#include "check.h"

int main(void) {
  omp_event_handle_t first, second;
  int x = 0, y = 0, ran = 0;
#pragma omp task detach(first) depend(out : x)
  {
  }
#pragma omp task detach(second) depend(out : y)
  {
  }
#pragma omp task depend(in : x) shared(ran)
  ran += 1;
#pragma omp task depend(inout : x, y) shared(ran)
  ran += 10;
  CHECK_EQ(ran, 0);
  omp_fulfill_event(first);
  CHECK_EQ(ran, 1);
#pragma omp task depend(in : y) shared(ran)
  ran += 100;
  CHECK_EQ(ran, 1);
  omp_fulfill_event(second);
  CHECK_EQ(ran, 111);
  return check_result();
}
