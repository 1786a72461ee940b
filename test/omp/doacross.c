// Doacross loops: an iteration sees what the iterations that it names have written, under every
// schedule, with steps up and down, signed and unsigned counters, and collapsed loops; iterations
// outside of the nest are not waited for. gcc-12 makes wrong code for collapsed loops with an unsigned
// counter, so the counters of these are signed.
// test: peer gcc-12 libgomp-12 waits for ever with more threads than cores
// test: variant counted VICINO_STATS=true
// test: variant cancellable OMP_CANCELLATION=true
#include <omp.h>

#include "check.h"

enum { kLong = 400, kRows = 23, kColumns = 17, kDeep = 5 };

static long line[kLong];
static long grid[kRows + 2][kColumns + 2];

// One loop: iteration i needs i - 1 and i - 3.
static long expected_line(int i) {
  static long values[kLong];
  if (values[0] == 0)
    for (int k = 0; k < kLong; ++k)
      values[k] = 1 + (k >= 1 ? values[k - 1] % 1000 : 0) + 2 * (k >= 3 ? values[k - 3] % 1000 : 0);
  return values[i];
}

#define STEP(at, before, third) line[at] = 1 + (before) % 1000 + 2 * ((third) % 1000)
#define CHECK_LINE()                                                   \
  for (int k = 0; k < kLong; ++k) CHECK_EQ(line[k], expected_line(k)); \
  memset(line, 0, sizeof line)

#define ONE_LOOP(name, clause)                                          \
  static void up_##name(void) {                                         \
    OMP(parallel for ordered(1) clause)                                 \
    for (int i = 0; i < kLong; ++i) {                                   \
      OMP(ordered depend(sink : i - 1) depend(sink : i - 3))            \
      STEP(i, i >= 1 ? line[i - 1] : 0, i >= 3 ? line[i - 3] : 0);      \
      OMP(ordered depend(source))                                       \
    }                                                                   \
    CHECK_LINE();                                                       \
  }                                                                     \
  static void down_##name(void) {                                       \
    OMP(parallel for ordered(1) clause)                                 \
    for (long i = 2 * kLong + 5; i > 5; i -= 2) {                       \
      long k = (2 * kLong + 5 - i) / 2;                                 \
      OMP(ordered depend(sink : i + 2) depend(sink : i + 6))            \
      STEP(k, k >= 1 ? line[k - 1] : 0, k >= 3 ? line[k - 3] : 0);      \
      OMP(ordered depend(source))                                       \
    }                                                                   \
    CHECK_LINE();                                                       \
  }                                                                     \
  static void unsigned_##name(void) {                                   \
    const unsigned long long begin = 0x8000000000000000u;               \
    OMP(parallel for ordered(1) clause)                                 \
    for (unsigned long long i = begin; i < begin + 3 * kLong; i += 3) { \
      int k = (int)((i - begin) / 3);                                   \
      OMP(ordered depend(sink : i - 3) depend(sink : i - 9))            \
      STEP(k, k >= 1 ? line[k - 1] : 0, k >= 3 ? line[k - 3] : 0);      \
      OMP(ordered depend(source))                                       \
    }                                                                   \
    CHECK_LINE();                                                       \
  }

// Two loops: iteration (i, j) needs (i - 1, j) and (i, j - 1). rows_... shares out rows, cells_... cells.
static long expected_grid[kRows + 2][kColumns + 2];
static void make_expected_grid(void) {
  for (int i = 1; i <= kRows; ++i)
    for (int j = 1; j <= kColumns; ++j)
      expected_grid[i][j] = 1 + (expected_grid[i - 1][j] + 3 * expected_grid[i][j - 1]) % 10007;
}
#define CELL(i, j) grid[i][j] = 1 + (grid[(i) - 1][j] + 3 * grid[i][(j) - 1]) % 10007
#define CHECK_GRID()                                    \
  CHECK(memcmp(grid, expected_grid, sizeof grid) == 0); \
  memset(grid, 0, sizeof grid)

#define TWO_LOOPS(name, clause)                                      \
  static void rows_##name(void) {                                    \
    OMP(parallel for ordered(2) clause)                              \
    for (int i = 1; i <= kRows; ++i)                                 \
      for (short j = 1; j <= kColumns; ++j) {                        \
        OMP(ordered depend(sink : i - 1, j) depend(sink : i, j - 1)) \
        CELL(i, j);                                                  \
        OMP(ordered depend(source))                                  \
      }                                                              \
    CHECK_GRID();                                                    \
  }                                                                  \
  static void cells_##name(void) {                                   \
    OMP(parallel for collapse(2) ordered(2) clause)                  \
    for (int i = 1; i <= kRows; ++i)                                 \
      for (long j = 1; j <= kColumns; ++j) {                         \
        OMP(ordered depend(sink : i - 1, j) depend(sink : i, j - 1)) \
        CELL(i, j);                                                  \
        OMP(ordered depend(source))                                  \
      }                                                              \
    CHECK_GRID();                                                    \
  }

#define EVERY(name, clause) ONE_LOOP(name, clause) TWO_LOOPS(name, clause)
EVERY(by_default, )
EVERY(static, schedule(static))
EVERY(static_1, schedule(static, 1))
EVERY(static_5, schedule(static, 5))
EVERY(dynamic, schedule(dynamic))
EVERY(dynamic_4, schedule(dynamic, 4))
EVERY(guided, schedule(guided))
EVERY(guided_2, schedule(guided, 2))
EVERY(auto, schedule(auto))
EVERY(runtime, schedule(runtime))

#define RUN(name)    \
  up_##name();       \
  down_##name();     \
  unsigned_##name(); \
  rows_##name();     \
  cells_##name()

// Three loops, of which two are collapsed; the second goes down.
static void three_loops(void) {
  static long cube[kDeep + 1][kDeep + 2][kDeep + 1];
  OMP(parallel for collapse(2) ordered(3) schedule(dynamic, 2))
  for (int i = 1; i <= kDeep; ++i)
    for (int j = kDeep; j >= 1; --j)
      for (int k = 1; k <= kDeep; ++k) {
        OMP(ordered depend(sink : i - 1, j, k) depend(sink : i, j + 1, k)
                depend(sink : i, j, k - 1))
        cube[i][j][k] = 1 + cube[i - 1][j][k] + cube[i][j + 1][k] + cube[i][j][k - 1];
        OMP(ordered depend(source))
      }
  for (int i = 1; i <= kDeep; ++i)
    for (int j = kDeep; j >= 1; --j)
      for (int k = 1; k <= kDeep; ++k)
        CHECK_EQ(cube[i][j][k], 1 + cube[i - 1][j][k] + cube[i][j + 1][k] + cube[i][j][k - 1]);
}

// Several nests of one region without barriers between them; each thread may be in another one.
static void consecutive(void) {
  enum { kNests = 30, kTrip = 40 };
  static long sums[kNests][kTrip];
#pragma omp parallel
  for (int n = 0; n < kNests; ++n) {
#pragma omp for ordered(1) schedule(static, 3) nowait
    for (int i = 0; i < kTrip; ++i) {
#pragma omp ordered depend(sink : i - 1)
      sums[n][i] = i + (i > 0 ? sums[n][i - 1] : 0);
#pragma omp ordered depend(source)
    }
  }
  for (int n = 0; n < kNests; ++n) CHECK_EQ(sums[n][kTrip - 1], kTrip * (kTrip - 1) / 2);
}

// Nothing to run, and fewer iterations than threads.
static void small(void) {
  int runs = 0;
  for (int trip = 0; trip < 3; ++trip) {
    OMP(parallel for ordered(2) reduction(+ : runs))
    for (int i = 0; i < trip; ++i)
      for (int j = 0; j < 2; ++j) {
        OMP(ordered depend(sink : i - 1, j))
        ++runs;
        OMP(ordered depend(source))
      }
  }
  CHECK_EQ(runs, 6);
}

int main(void) {
  make_expected_grid();
  RUN(by_default);
  RUN(static);
  RUN(static_1);
  RUN(static_5);
  RUN(dynamic);
  RUN(dynamic_4);
  RUN(guided);
  RUN(guided_2);
  RUN(auto);
  RUN(runtime);
  omp_set_schedule(omp_sched_dynamic, 3);
  RUN(runtime);
  omp_set_schedule(omp_sched_static, 2);
  RUN(runtime);
  three_loops();
  consecutive();
  small();
  return check_result();
}
