// Doacross loops whose waiting threads share a bell (src/sync/bell.hpp): with chunks of 64 iterations all wait for
// iterations that are equal modulo 64. A thread that falls asleep while another one is woken must not miss its own
// iteration.
// test: peer gcc-12 libgomp-12 waits for ever with more threads than cores
// test: variant passive OMP_WAIT_POLICY=passive
#include <omp.h>

#include "check.h"

enum { kChunk = 64, kLong = 32 * kChunk, kTimes = 300 };

static long line[kLong + 1];
static long grid[kChunk + 1][kChunk + 1];

static void chain(void) {
  memset(line, 0, sizeof line);
  OMP(parallel for ordered(1) schedule(static, kChunk))
  for (int i = 0; i < kLong; ++i) {
    OMP(ordered depend(sink : i - 1))
    line[i + 1] = line[i] + i;
    OMP(ordered depend(source))
  }
  CHECK_EQ(line[kLong], (long)kLong * (kLong - 1) / 2);
}

// Rows of 64: each thread's iteration has the bell of those above and below it.
static void wavefront(void) {
  for (int i = 0; i <= kChunk; ++i) grid[i][0] = grid[0][i] = 1;
  OMP(parallel for ordered(2) schedule(static, 1))
  for (int i = 1; i <= kChunk; ++i)
    for (int j = 1; j <= kChunk; ++j) {
      OMP(ordered depend(sink : i - 1, j) depend(sink : i, j - 1))
      grid[i][j] = (grid[i - 1][j] + grid[i][j - 1]) % 1000003;
      OMP(ordered depend(source))
    }
  static long first;
  if (first == 0) first = grid[kChunk][kChunk];
  CHECK_EQ(grid[kChunk][kChunk], first);
}

int main(void) {
  for (int k = 0; k < kTimes; ++k) chain();
  for (int k = 0; k < kTimes / 10; ++k) wavefront();
  return check_result();
}
