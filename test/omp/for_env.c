// OMP_SCHEDULE decides schedule(runtime) loops; whatever it holds, each iteration runs once.
// A schedule that a runtime does not know must be refused without harm.
// test: uses OMP_SCHEDULE=static
// test: variant static_3 OMP_SCHEDULE=static,3
// test: variant dynamic OMP_SCHEDULE=dynamic
// test: variant dynamic_4 OMP_SCHEDULE=DYNAMIC,4
// test: variant guided OMP_SCHEDULE=guided,2
// test: variant auto OMP_SCHEDULE=auto
// test: variant trapezoid OMP_SCHEDULE=trapezoid
// test: variant trapezoid_4 OMP_SCHEDULE=trapezoid,4
// test: variant monotonic OMP_SCHEDULE=monotonic:dynamic,2
// test: variant nonmonotonic OMP_SCHEDULE=nonmonotonic:guided
// Schedules that only Vicino has; test/cli/schedules_test.py checks that none is missing here.
// test: variant static_chunked OMP_SCHEDULE=static_chunked,3
// test: variant dynamic_shared OMP_SCHEDULE=dynamic_shared,3
// test: variant factoring OMP_SCHEDULE=factoring
// test: variant fixed_size OMP_SCHEDULE=fixed_size
// test: variant steal OMP_SCHEDULE=steal
// test: variant ich OMP_SCHEDULE=ich
// test: variant ich_paper OMP_SCHEDULE=ich,paper
// test: variant nich OMP_SCHEDULE=nich,group=2
// test: variant hierarchical OMP_SCHEDULE=hierarchical
// test: variant mixed OMP_SCHEDULE=mixed,f=0.5,chunk=8
// test: variant mixed_slack OMP_SCHEDULE=mixed,fraction=slack
// test: variant mixed_variable OMP_SCHEDULE=mixed_variable
// test: variant staggered OMP_SCHEDULE=staggered
// test: variant vsched OMP_SCHEDULE=vsched
// test: variant weighted OMP_SCHEDULE=weighted
// test: variant large_chunk OMP_SCHEDULE=dynamic,4294967296
// test: variant unknown OMP_SCHEDULE=whatever,3
// test: variant bad_chunk OMP_SCHEDULE=dynamic,-3
// test: peer gcc-12@bad_chunk libgomp-12 takes the negative chunk and crashes
#include <limits.h>
#include <omp.h>
#include <strings.h>

#include "check.h"

enum { kMost = 5000 };
static unsigned char seen[kMost];

static omp_sched_t expected(const char* text, long* chunk) {
  const char* colon = strchr(text, ':');
  const char* name = colon ? colon + 1 : text;
  const char* comma = strchr(name, ',');
  *chunk = comma ? atol(comma + 1) : 0;
  const size_t length = comma ? (size_t)(comma - name) : strlen(name);
  static const struct {
    const char* name;
    omp_sched_t kind;
  } kKinds[] = {{"static", omp_sched_static},
                {"dynamic", omp_sched_dynamic},
                {"guided", omp_sched_guided},
                {"auto", omp_sched_auto}};
  for (int i = 0; i < 4; ++i)
    if (strlen(kKinds[i].name) == length && strncasecmp(name, kKinds[i].name, length) == 0)
      return kKinds[i].kind;
  return 0;
}

static void check_schedule(void) {
  omp_sched_t kind;
  int chunk;
  long want_chunk;
  omp_get_schedule(&kind, &chunk);
  omp_sched_t want = expected(getenv("OMP_SCHEDULE"), &want_chunk);
  if (!want || want_chunk < 0) return;
  CHECK_EQ(kind & ~omp_sched_monotonic, want);
  if (want_chunk > INT_MAX)
    CHECK(chunk > 0);
  else if (want_chunk > 0)
    CHECK_EQ(chunk, want_chunk);
}

static void loop(int trip) {
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < trip; ++i) hit(seen, i);
  CHECK_EACH_ONCE(seen, trip);
}

int main(void) {
  check_schedule();
  for (int trip = 0; trip <= kMost; trip = 2 * trip + 1) loop(trip);
  loop(kMost);
  return check_result();
}
