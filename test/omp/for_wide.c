// Loops whose bounds are further apart than 31 or 63 bits can hold, with big steps and so with few
// iterations; and chunks longer than any loop.
// test: peer clang-19 libomp-19 never ends a loop with huge chunks at 7 threads
#include <omp.h>
#include <stdint.h>

#include "check.h"

static unsigned char seen[64];

// 2^4 iterations over nearly the whole of uint64: the distance needs all 64 bits.
static void whole_unsigned(void) {
  const uint64_t step = 1ULL << 60;
#pragma omp parallel for schedule(dynamic)
  for (uint64_t i = 0; i < UINT64_MAX - step; i += step) hit(seen, (long)(i >> 60));
  CHECK_EACH_ONCE(seen, 15);
#pragma omp parallel for schedule(static, 1)
  for (uint64_t i = 0; i < UINT64_MAX - step; i += step) hit(seen, (long)(i >> 60));
  CHECK_EACH_ONCE(seen, 15);
#pragma omp parallel for schedule(guided)
  for (uint64_t i = UINT64_MAX - 1; i > step; i -= step) hit(seen, (long)(i >> 60));
  seen[0] = 1;
  CHECK_EACH_ONCE(seen, 16);
}

// From nearly INT64_MIN to nearly INT64_MAX: the distance overflows int64.
static void whole_signed(void) {
  const int64_t step = 1LL << 60;
#pragma omp parallel for schedule(dynamic)
  for (int64_t i = INT64_MIN + 5; i < INT64_MAX - step; i += step)
    hit(seen, (long)(((uint64_t)i + (1ULL << 63)) >> 60));
  CHECK_EACH_ONCE(seen, 15);
#ifdef __clang__  // gcc's inline code for static loops counts in the signed type and overflows
#pragma omp parallel for schedule(static)
  for (int64_t i = INT64_MAX - 5; i > INT64_MIN + step; i -= step)
    hit(seen, (long)(((uint64_t)i + (1ULL << 63)) >> 60));
  seen[0] = 1;
  CHECK_EACH_ONCE(seen, 16);
#endif
}

static void whole_int(void) {
  const int step = 1 << 28;
#pragma omp parallel for schedule(dynamic)
  for (int i = -2147483647; i < 2147483647 - step; i += step)
    hit(seen, (long)(((unsigned)i + (1U << 31)) >> 28));
  CHECK_EACH_ONCE(seen, 15);
#pragma omp parallel for schedule(guided)
  for (unsigned i = 0; i < 4294967295U - (1U << 28); i += 1U << 28) hit(seen, (long)(i >> 28));
  CHECK_EACH_ONCE(seen, 15);
}

// A cursor to which every thread adds such a chunk must not wrap around into the loop again.
static void huge_chunks(void) {
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel for schedule(dynamic, 1L << 60)
    for (uint64_t i = 0; i < 16; ++i) hit(seen, (long)i);
    CHECK_EACH_ONCE(seen, 16);
#pragma omp parallel for schedule(guided, 1L << 62)
    for (int64_t i = 0; i < 16; ++i) hit(seen, (long)i);
    CHECK_EACH_ONCE(seen, 16);
  }
}

int main(void) {
  whole_unsigned();
  whole_signed();
  whole_int();
  huge_chunks();
  return check_result();
}
