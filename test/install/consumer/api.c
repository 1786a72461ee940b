/* Uses the installed headers from C. */
#include <vicino/forall.h>
#include <vicino/vicino.h>

const char* version_of_headers(void);
const char* version_of_headers(void) { return VICINO_VERSION; }

const char* version_of_library(void);
const char* version_of_library(void) { return vicino_version(); }

static int add(int64_t first, int64_t last, void* sum) {
  for (int64_t i = first; i < last; ++i) __atomic_fetch_add((long*)sum, i, __ATOMIC_RELAXED);
  return 0;
}

long sum_in_c(void);
long sum_in_c(void) {
  long sum = 0;
  if (vicino_parallel_for(0, 1000, add, &sum, NULL) != 0) return -1;
  FORALL_BEGIN(mixed, 0, 1, 0, 1000, begin, end, vicino_predict_static_fraction())
  for (int i = begin; i < end; ++i) sum -= i;
  FORALL_END()
  return 499500 + sum;
}
