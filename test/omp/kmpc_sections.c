// sections by LLVM's entry points that hand out one section at a time.
// test: skip gcc libgomp has no such entry points
// test: uses threads=1,2,7
#include <omp.h>

#include "check.h"

int __kmpc_global_thread_num(void* where);
int __kmpc_sections_init(void* where, int gtid);
int __kmpc_next_section(void* where, int gtid, int count);
void __kmpc_end_sections(void* where, int gtid);

enum { kSections = 12, kRounds = 50 };

// What compiled code does; without a barrier at the end.
static void sections(int count, void (*run)(int section)) {
  const int gtid = __kmpc_global_thread_num(NULL);
  if (__kmpc_sections_init(NULL, gtid) == 0) {
    for (int i = 0; i < count; ++i) run(i);  // in a region of one thread a runtime may answer so
  } else {
    int before = -1;
    for (int i; (i = __kmpc_next_section(NULL, gtid, count)) >= 0 && i < count; before = i) {
      CHECK(i > before);  // a thread runs its sections in order
      run(i);
    }
  }
  __kmpc_end_sections(NULL, gtid);
}

static unsigned char seen[kSections], seen_first[kRounds], seen_later[kRounds][2];
static void run_one(int section) { hit(seen, section); }
static void run_nothing(int section) { CHECK_EQ(section, -1); }

static int now;
#pragma omp threadprivate(now)
static void run_first(int section) { hit(seen_first, now + section); }
static void run_later(int section) { hit(seen_later[now], section); }

static void check_once(void) {
#pragma omp parallel
  sections(kSections, run_one);
  CHECK_EACH_ONCE(seen, kSections);
}

// Threads may be in different constructs at once, and each construct has its own number of sections.
static void check_without_barrier(void) {
#pragma omp parallel
  for (now = 0; now < kRounds; ++now) {
    sections(1, run_first);
    sections(2, run_later);
    sections(0, run_nothing);
  }
  CHECK_EACH_ONCE(seen_first, kRounds);
  for (int i = 0; i < kRounds; ++i) CHECK_EACH_ONCE(seen_later[i], 2);
}

// A section waits for a later one, which another thread has to run.
static int arrived;
static void wait_for_later(int section) {
#pragma omp atomic
  ++arrived;
  for (int all = 0; section == 0 && all < 2;) {
#pragma omp atomic read
    all = arrived;
  }
}
static void check_waiting(void) {
#pragma omp parallel
  if (omp_get_num_threads() > 1) sections(2, wait_for_later);
}

// After loops of other kinds, and inside a region inside.
static void check_among_loops(void) {
  int sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 100; ++i) ++sum;
    sections(kSections, run_one);
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < 100; ++i) ++sum;
#pragma omp for schedule(static)
    for (int i = 0; i < 100; ++i) ++sum;
  }
  CHECK_EQ(sum, 300);
  CHECK_EACH_ONCE(seen, kSections);
}
static unsigned char inside[2][kSections];
static void run_inside_first(int section) { hit(inside[0], section); }
static void run_inside_second(int section) { hit(inside[1], section); }
static void run_region(int section) {
#pragma omp parallel num_threads(3)
  sections(kSections, section == 0 ? run_inside_first : run_inside_second);
}
static void check_nested(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel
  sections(2, run_region);
  for (int i = 0; i < 2; ++i) CHECK_EACH_ONCE(inside[i], kSections);
}

int main(void) {
  for (int i = 0; i < 20; ++i) check_once();
  check_without_barrier();
  check_waiting();
  check_among_loops();
  check_nested();
  return check_result();
}
