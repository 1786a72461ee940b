// A nest lock belongs to the task that set it, even while an untied owner is suspended and another
// task runs on its thread.
// test: skip clang<12 its untied tasks forget their variables where they are suspended
// test: variant calls VICINO_TASK_CALLS=all threads=2,7
// test: variant drawn VICINO_TASK_CALLS=1 threads=2,7
#include <omp.h>
#include <unistd.h>

#include "check.h"

int main(void) {
  omp_nest_lock_t lock;
  omp_init_nest_lock(&lock);
  int inside = 0, overlapped = 0, owners = 0;
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < 60; ++k) {
#pragma omp task untied shared(lock, inside, overlapped, owners)
    {
      usleep(50);
      const int times = omp_test_nest_lock(&lock);
      if (times > 0) {
        CHECK_EQ(times, 1);  // more than 1: this task was taken for the owner
        int found;
#pragma omp atomic capture
        {
          found = inside;
          inside = 1;
        }
        if (found) {
#pragma omp atomic
          ++overlapped;
        }
#pragma omp atomic
        ++owners;
        for (int j = 0; j < 20; ++j) {
#pragma omp task
          usleep(50);
#pragma omp taskyield
        }
#pragma omp atomic write
        inside = 0;
        omp_unset_nest_lock(&lock);
      }
    }
  }
  CHECK_EQ(overlapped, 0);
  CHECK(owners > 0);
  omp_destroy_nest_lock(&lock);
  return check_result();
}
