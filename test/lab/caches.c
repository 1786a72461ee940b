/* Steps of a static loop over data of which each thread has its part, well less than its share of the cache of its
 * CPU's group. The lab counts the steps but the first ones. */
#include <omp.h>
#include <stdint.h>

#include "../../lab/mark.h"

enum { kMostThreads = 256, kLines = 320, kStepsBefore = 5, kSteps = 40 };

typedef struct {
  uint32_t next, sum;
  char rest[64 - 2 * sizeof(uint32_t)];
} Line;

static _Alignas(64) Line lines[kMostThreads][kLines];

/* A chain through all lines of a part, with an odd step, so that no line is where the last one lets expect it. */
static void prepare(Line* part) {
  for (uint32_t i = 0; i < kLines; ++i) part[i].next = (i + 61) % kLines;
}

static void walk(Line* part) {
  uint32_t at = 0;
  for (int i = 0; i < kLines; ++i) {
    ++part[at].sum;
    at = part[at].next;
  }
}

static void step(int threads) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < threads; ++i) walk(lines[i]);
}

int main(void) {
  const int threads = omp_get_max_threads();
  if (threads > kMostThreads) return 2;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < threads; ++i) prepare(lines[i]);
  for (int i = 0; i < kStepsBefore; ++i) step(threads);
  LAB_START();
  for (int i = 0; i < kSteps; ++i) step(threads);
  LAB_STOP();
  for (int i = 0; i < threads; ++i)
    for (int k = 0; k < kLines; ++k)
      if (lines[i][k].sum != kStepsBefore + kSteps) return 1;
  return 0;
}
