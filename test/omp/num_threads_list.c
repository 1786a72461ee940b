// OMP_NUM_THREADS=4,3,2: one number for each nesting level.
// test: uses OMP_NUM_THREADS=4,3,2 threads=4
#include <omp.h>

#include "check.h"

int main(void) {
  int innermost = 0;
  CHECK_EQ(omp_get_max_threads(), 4);
  CHECK(omp_get_max_active_levels() >= 3);
#pragma omp parallel
  {
    CHECK_EQ(omp_get_num_threads(), 4);
    CHECK_EQ(omp_get_max_threads(), 3);
#pragma omp parallel
    {
      CHECK_EQ(omp_get_num_threads(), 3);
      CHECK_EQ(omp_get_max_threads(), 2);
#pragma omp parallel
      {
        CHECK_EQ(omp_get_num_threads(), 2);
#pragma omp atomic
        ++innermost;
      }
    }
  }
  CHECK_EQ(innermost, 4 * 3 * 2);
  return check_result();
}
