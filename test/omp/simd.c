// for simd, the loop construct, and linear and aligned clauses, which share the runtime's loops.
#include <omp.h>

#include "check.h"

enum { kTrip = 1021 };
static float a[kTrip], b[kTrip];

static void for_simd(void) {
#pragma omp parallel for simd schedule(static, 16)
  for (int i = 0; i < kTrip; ++i) a[i] = 2.0f * i;
#pragma omp parallel for simd schedule(simd : dynamic, 5)
  for (int i = 0; i < kTrip; ++i) b[i] = a[i] + 1;
  for (int i = 0; i < kTrip; ++i) CHECK(b[i] == 2.0f * i + 1);
}

static void loop_construct(void) {
  long sum = 0;
#pragma omp parallel
#pragma omp loop reduction(+ : sum)
  for (int i = 0; i < kTrip; ++i) sum += i;
  CHECK_EQ(sum, (long)kTrip * (kTrip - 1) / 2);
#pragma omp parallel loop bind(parallel)
  for (int i = 0; i < kTrip; ++i) a[i] = i;
  for (int i = 0; i < kTrip; ++i) CHECK(a[i] == i);
}

static void linear(void) {
  int k = 3;
#pragma omp parallel for linear(k : 2) schedule(static, 7)
  for (int i = 0; i < kTrip; ++i) {
    a[i] = k;
    k += 2;
  }
  CHECK_EQ(k, 3 + 2 * kTrip);
  for (int i = 0; i < kTrip; ++i) CHECK(a[i] == 3 + 2 * i);
}

int main(void) {
  for_simd();
  loop_construct();
  linear();
  return check_result();
}
