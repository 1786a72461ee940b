// collapse: the product of several loops, with zero-trip levels, steps and mixed types.
// test: peer clang-19 libomp-19 loses the last iteration of a dynamic loop whose chunks it steals
#include <omp.h>

#include "check.h"

enum { kMost = 4096 };
static unsigned char seen[kMost];

#define SQUARE(name, clause)                                             \
  static void name(int rows, long columns) {                             \
    OMP(parallel for collapse(2) clause)                                 \
    for (int i = 0; i < rows; ++i)                                       \
      for (long j = columns - 1; j >= 0; --j) hit(seen, i* columns + j); \
    CHECK_EACH_ONCE(seen, rows* columns);                                \
  }
SQUARE(square_static, schedule(static))
SQUARE(square_chunked, schedule(static, 5))
SQUARE(square_dynamic, schedule(dynamic, 3))
SQUARE(square_guided, schedule(guided))
SQUARE(square_runtime, schedule(runtime))

static void cube(int a, unsigned b, short c) {
#pragma omp parallel for collapse(3) schedule(dynamic)
  for (int i = 0; i < 2 * a; i += 2)
    for (unsigned j = 10; j < 10 + b; ++j)
      for (short k = c; k > 0; --k) hit(seen, (i / 2 * (long)b + (j - 10)) * c + (k - 1));
  CHECK_EACH_ONCE(seen, (long)a * b * c);
}

static void last_of_both(void) {
  int i, j, last = -1;
#pragma omp parallel for collapse(2) lastprivate(i, j, last) schedule(dynamic, 2)
  for (i = 0; i < 9; ++i)
    for (j = 3; j < 11; j += 2) last = 100 * i + j;
  CHECK_EQ(last, 809);
  CHECK_EQ(i, 9);
  CHECK_EQ(j, 11);
}

static void triangle(int n) {
#pragma omp parallel for collapse(2)
  for (int i = 0; i < n; ++i)
    for (int j = i; j < n; ++j) hit(seen, i * n + j);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) hit(seen, i * n + j);
  CHECK_EACH_ONCE(seen, n * n);
}

int main(void) {
  const int sizes[] = {0, 1, 2, 7, 40};
  omp_set_schedule(omp_sched_dynamic, 4);
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 5; ++c) {
      square_static(sizes[r], sizes[c]);
      square_chunked(sizes[r], sizes[c]);
      square_dynamic(sizes[r], sizes[c]);
      square_guided(sizes[r], sizes[c]);
      square_runtime(sizes[r], sizes[c]);
      cube(sizes[r] % 13, (unsigned)sizes[c] % 17, 5);
    }
  last_of_both();
  triangle(30);
  return check_result();
}
