// sections: each runs once, with more of them than threads and fewer, nowait, lastprivate, one
// alone.
// test: variant measured VICINO_STATIC=measured clang
// test: variant tuned VICINO_STATIC=tuned clang
#include <omp.h>

#include "check.h"

enum { kSections = 12 };
static unsigned char seen[kSections];

static void twelve(void) {
#pragma omp sections
  {
    hit(seen, 0);
#pragma omp section
    hit(seen, 1);
#pragma omp section
    hit(seen, 2);
#pragma omp section
    hit(seen, 3);
#pragma omp section
    hit(seen, 4);
#pragma omp section
    hit(seen, 5);
#pragma omp section
    hit(seen, 6);
#pragma omp section
    hit(seen, 7);
#pragma omp section
    hit(seen, 8);
#pragma omp section
    hit(seen, 9);
#pragma omp section
    hit(seen, 10);
#pragma omp section
    hit(seen, 11);
  }
}

static void every_section_once(void) {
#pragma omp parallel
  twelve();
  CHECK_EACH_ONCE(seen, kSections);
  twelve();
  CHECK_EACH_ONCE(seen, kSections);
}

static void last_of_sections(void) {
  int last = 0, first = 5;
#pragma omp parallel sections lastprivate(last) firstprivate(first)
  {
#pragma omp section
    last = first + 1;
#pragma omp section
    last = first + 2;
#pragma omp section
    last = first + 3;
  }
  CHECK_EQ(last, 8);
}

// The barrier at the end of sections, and its absence with nowait.
static void order(void) {
  int a = 0, b = 0;
#pragma omp parallel shared(a, b)
  for (int round = 0; round < 50; ++round) {
#pragma omp sections
    {
#pragma omp section
      a = round;
#pragma omp section
      b = -round;
    }
    CHECK_EQ(a, round);
    CHECK_EQ(b, -round);
#pragma omp barrier
  }
}

static void alone_and_nowait(void) {
  int count = 0;
#pragma omp parallel
  for (int round = 0; round < 50; ++round) {
#pragma omp sections nowait
    {
#pragma omp section
      __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
    }
#pragma omp sections nowait
    {
#pragma omp section
      __atomic_fetch_add(&count, 100, __ATOMIC_RELAXED);
#pragma omp section
      __atomic_fetch_add(&count, 10000, __ATOMIC_RELAXED);
    }
  }
  CHECK_EQ(count, 50 * 10101);
}

int main(void) {
  for (int round = 0; round < 50; ++round) {
    every_section_once();
    last_of_sections();
  }
  order();
  alone_and_nowait();
  return check_result();
}
