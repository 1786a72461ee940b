/* locks.c: locks, the clock, and the settings that a program asks for. */
#include <omp.h>

#include "check.h"

static void simple(const char* name, omp_lock_t* lock) {
  volatile long count = 0;
  int refused = 0;
#pragma omp parallel num_threads(kTeam) reduction(+ : refused)
  for (int i = 0; i < 100; ++i) {
    if (i % 4 != 0 || !omp_test_lock(lock)) {
      refused += i % 4 == 0;
      omp_set_lock(lock);
    }
    const long before = count;
    dawdle();
    count = before + 1;
    omp_unset_lock(lock);
  }
  check_number(name, count, 100 * kTeam);
  omp_set_lock(lock);
  check("a lock that is held is not given", !omp_test_lock(lock), "it was given twice");
  omp_unset_lock(lock);
  omp_destroy_lock(lock);
}

static void nested(void) {
  omp_nest_lock_t lock;
  volatile long count = 0;
  int wrong = 0;
  omp_init_nest_lock(&lock);
#pragma omp parallel num_threads(kTeam) reduction(+ : wrong)
  for (int i = 0; i < 100; ++i) {
    omp_set_nest_lock(&lock);
    wrong += omp_test_nest_lock(&lock) != 2;
    const long before = count;
    dawdle();
    count = before + 1;
    omp_unset_nest_lock(&lock);
    omp_unset_nest_lock(&lock);
  }
  omp_destroy_nest_lock(&lock);
  check_number("nestable lock", count, 100 * kTeam);
  check("nestable locks count", wrong == 0, "%d times another depth", wrong);
}

static void settings(void) {
  omp_set_num_threads(3);
  check_number("omp_set_num_threads", omp_get_max_threads(), 3);
  int size = 0;
#pragma omp parallel
#pragma omp single
  size = omp_get_num_threads();
  check_number("a region after it", size, 3);
  omp_set_dynamic(0);
  check_number("omp_set_dynamic", omp_get_dynamic(), 0);
  omp_set_max_active_levels(3);
  check_number("omp_set_max_active_levels", omp_get_max_active_levels(), 3);
  const double begin = omp_get_wtime();
  double end = begin;
  for (int i = 0; i < 1000000 && end <= begin; ++i) end = omp_get_wtime();
  check("the clock", end > begin && omp_get_wtick() > 0, "it stands still");
  check("there is a processor", omp_get_num_procs() > 0, "omp_get_num_procs() is %d",
        omp_get_num_procs());
}

void test_locks(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  simple("lock", &lock);
#ifdef __clang__ /* gcc's runtime does not have it */
  omp_init_lock_with_hint(&lock, omp_sync_hint_contended);
  simple("lock with a hint", &lock);
#endif
  nested();
  settings();
}
