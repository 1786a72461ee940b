// A static loop is cancelled while others are still in the loop before it, which had a nowait: that
// one runs to its end. gcc's static loops begin and end without a call of the runtime.
// test: uses OMP_CANCELLATION=true
// test: variant dynamic OMP_SCHEDULE=dynamic
// test: variant chunks OMP_SCHEDULE=static,1
// test: variant guided OMP_SCHEDULE=guided
#include <omp.h>
#include <unistd.h>

#include "check.h"

enum { kTrip = 32, kLater = 64 };

int main(void) {
  CHECK(omp_get_cancellation());
  for (int round = 0; round < 10; ++round) {
    static unsigned char first[kTrip];
    int later = 0;
#pragma omp parallel shared(later)
    {
      const int me = omp_get_thread_num(), last = omp_get_num_threads() - 1;
#pragma omp for schedule(runtime) nowait
      for (int i = 0; i < kTrip; ++i) {
        if (me == last) usleep(300);
        hit(first, i);
      }
#pragma omp for schedule(static)
      for (int i = 0; i < kLater; ++i) {
#pragma omp cancel for if (i == 0)
#pragma omp atomic
        ++later;
#pragma omp cancellation point for
      }
    }
    CHECK_EACH_ONCE(first, kTrip);
    CHECK(later < kLater);
  }
  return check_result();
}
