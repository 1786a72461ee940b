// Every thread of a team runs the region once, and teams have the size that was asked for.
#include <omp.h>

#include "check.h"

enum { kMost = 256 };
static unsigned char seen[kMost];

static void check_team(int want) {
  CHECK_EACH_ONCE(seen, want);
  CHECK_EQ(omp_get_num_threads(), 1);
  CHECK_EQ(omp_get_thread_num(), 0);
  CHECK_EQ(omp_in_parallel(), 0);
}

static void plain(int want) {
#pragma omp parallel
  {
    CHECK_EQ(omp_get_num_threads(), want);
    CHECK_EQ(omp_in_parallel(), want > 1);
    hit(seen, omp_get_thread_num());
  }
  check_team(want);
}

static void clause(int want) {
#pragma omp parallel num_threads(want)
  {
    CHECK_EQ(omp_get_num_threads(), want);
    hit(seen, omp_get_thread_num());
  }
  check_team(want);
}

static void conditional(int condition, int want) {
#pragma omp parallel if (condition)
  {
    CHECK_EQ(omp_get_num_threads(), condition ? want : 1);
    CHECK_EQ(omp_get_level(), 1);
    hit(seen, omp_get_thread_num());
  }
  check_team(condition ? want : 1);
}

int main(void) {
  int most = omp_get_max_threads();
  plain(most);
  for (int n = 1; n <= most; ++n) clause(n);
  for (int n = most; n >= 1; --n) clause(n);
  conditional(1, most);
  conditional(0, most);
  omp_set_num_threads(3);
  CHECK_EQ(omp_get_max_threads(), 3);
  plain(3);
  clause(2);
  plain(3);
  return check_result();
}
