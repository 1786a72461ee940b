// omp_* queries about threads, outside a region and inside.
#include <omp.h>

#include "check.h"

static void outside(void) {
  CHECK_EQ(omp_get_num_threads(), 1);
  CHECK_EQ(omp_get_thread_num(), 0);
  CHECK_EQ(omp_in_parallel(), 0);
  CHECK_EQ(omp_get_level(), 0);
  CHECK_EQ(omp_get_active_level(), 0);
  CHECK_EQ(omp_get_ancestor_thread_num(0), 0);
  CHECK_EQ(omp_get_team_size(0), 1);
  CHECK_EQ(omp_in_final(), 0);
  CHECK(omp_get_num_procs() >= 1);
  CHECK(omp_get_thread_limit() >= 64);
  CHECK_EQ(omp_get_num_teams(), 1);
  CHECK_EQ(omp_get_team_num(), 0);
}

static void settings(void) {
  omp_set_dynamic(1);
  CHECK(omp_get_dynamic() != 0);
  omp_set_dynamic(0);
  CHECK_EQ(omp_get_dynamic(), 0);
  omp_set_max_active_levels(5);
  CHECK_EQ(omp_get_max_active_levels(), 5);
  omp_set_max_active_levels(0);
  CHECK_EQ(omp_get_max_active_levels(), 0);
#pragma omp parallel num_threads(3)
  CHECK_EQ(omp_get_num_threads(), 1);
  omp_set_max_active_levels(1);
  CHECK_EQ(omp_get_max_active_levels(), 1);
}

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static void nested_flag(void) {
  omp_set_nested(1);
  CHECK(omp_get_nested() != 0);
  CHECK(omp_get_max_active_levels() > 1);
  omp_set_nested(0);
  CHECK_EQ(omp_get_nested(), 0);
  CHECK_EQ(omp_get_max_active_levels(), 1);
}

int main(void) {
  outside();
  int most = omp_get_max_threads();
#pragma omp parallel
  {
    CHECK_EQ(omp_get_num_threads(), most);
    CHECK(omp_get_thread_num() >= 0 && omp_get_thread_num() < most);
    CHECK_EQ(omp_get_level(), 1);
    CHECK_EQ(omp_get_active_level(), most > 1);
    CHECK_EQ(omp_get_team_size(1), most);
    CHECK_EQ(omp_get_ancestor_thread_num(1), omp_get_thread_num());
    CHECK_EQ(omp_in_final(), 0);
  }
  outside();
  settings();
  nested_flag();
  return check_result();
}
