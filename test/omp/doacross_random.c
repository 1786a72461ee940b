// Random doacross nests against the same nests run by one thread: sizes, steps, schedules and chunks
// are drawn; the sinks include ones to the upper right, some of which lie outside of the nest.
// test: peer gcc-12 libgomp-12 does not come to an end
// test: peer clang-19 libomp-19 waits for iterations beyond the last column, which nobody runs
#include <omp.h>

#include "check.h"

enum { kNests = 60, kMost = 40 };

static unsigned drawn = 12345;
static int draw(int least, int most) {
  drawn = drawn * 1103515245u + 12345u;
  return least + (int)((drawn >> 8) % (unsigned)(most - least + 1));
}

typedef struct {
  long first;  // the counter's first value
  int trip;
} Loop;

static unsigned long got[kMost][kMost], want[kMost][kMost];

static unsigned long at(unsigned long (*cells)[kMost], const Loop* a, const Loop* b, int i, int j) {
  return i < 0 || j < 0 || i >= a->trip || j >= b->trip ? 7 : cells[i][j];
}

static void cell(unsigned long (*cells)[kMost], const Loop* a, const Loop* b, int i, int j) {
  cells[i][j] = 1 + 3 * at(cells, a, b, i - 1, j) + 5 * at(cells, a, b, i, j - 1) +
                11 * at(cells, a, b, i - 1, j + 1) + 13 * at(cells, a, b, i - 2, j - 1);
}

#define UP_UP(clauses)                                                                        \
  OMP(parallel for ordered(2) schedule(runtime) clauses)                                      \
  for (long x = a->first; x < a->first + a->trip; ++x)                                        \
    for (int y = (int)b->first; y < (int)b->first + 3 * b->trip; y += 3) {                    \
      OMP(ordered depend(sink : x - 1, y) depend(sink : x, y - 3) depend(sink : x - 1, y + 3) \
              depend(sink : x - 2, y - 3))                                                    \
      cell(got, a, b, (int)(x - a->first), (int)(y - b->first) / 3);                          \
      OMP(ordered depend(source))                                                             \
    }

#define DOWN_UP(Column, clauses)                                                              \
  OMP(parallel for ordered(2) schedule(runtime) clauses)                                      \
  for (short x = (short)a->first; x > (short)(a->first - 2 * a->trip); x -= 2)                \
    for (Column y = (Column)b->first; y < (Column)(b->first + b->trip); ++y) {                \
      OMP(ordered depend(sink : x + 2, y) depend(sink : x, y - 1) depend(sink : x + 2, y + 1) \
              depend(sink : x + 4, y - 1))                                                    \
      cell(got, a, b, (int)(a->first - x) / 2, (int)(y - (Column)b->first));                  \
      OMP(ordered depend(source))                                                             \
    }

#define DOWN_DOWN(clauses)                                                                    \
  OMP(parallel for ordered(2) schedule(runtime) clauses)                                      \
  for (long long x = a->first; x > a->first - 5 * a->trip; x -= 5)                            \
    for (signed char y = 100; y > 100 - b->trip; --y) {                                       \
      OMP(ordered depend(sink : x + 5, y) depend(sink : x, y + 1) depend(sink : x + 5, y - 1) \
              depend(sink : x + 10, y + 1))                                                   \
      cell(got, a, b, (int)((a->first - x) / 5), 100 - y);                                    \
      OMP(ordered depend(source))                                                             \
    }

static void run(const Loop* a, const Loop* b, int form) {
  switch (form) {
    case 0:
      UP_UP()
      break;
    case 1:
      UP_UP(collapse(2))
      break;
    case 2:
      DOWN_UP(unsigned, )
      break;
    case 3:
      DOWN_UP(int, collapse(2))
      break;
    default:
      DOWN_DOWN()
      DOWN_DOWN(collapse(2))
  }
}

int main(void) {
  for (int n = 0; n < kNests; ++n) {
    const Loop a = {draw(-50, 500), draw(1, kMost)}, b = {draw(0, 60), draw(1, kMost)};
    const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided};
    const int kind = draw(0, 2), chunk = draw(0, 6), form = n % 5;
    omp_set_schedule(kinds[kind], chunk);
    for (int i = 0; i < a.trip; ++i)
      for (int j = 0; j < b.trip; ++j) cell(want, &a, &b, i, j);
    run(&a, &b, form);
    int same = memcmp(got, want, sizeof got) == 0;
    if (!same)
      fprintf(stderr, "nest %d: form %d, %d x %d, schedule %d, %d\n", n, form, a.trip, b.trip, kind,
              chunk);
    CHECK(same);
    memcpy(got, want, sizeof got);
  }
  return check_result();
}
