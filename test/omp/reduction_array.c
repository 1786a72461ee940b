// Arrays and array sections as reduction variables, too big for atomic updates.
#include <omp.h>

#include "check.h"

enum { kBins = 333, kTrip = 20000 };

static void whole(void) {
  int bins[kBins] = {0};
#pragma omp parallel for reduction(+ : bins) schedule(dynamic, 64)
  for (int i = 0; i < kTrip; ++i) ++bins[i * 7 % kBins];
  for (int b = 0; b < kBins; ++b) {
    int want = 0;
    for (int i = 0; i < kTrip; ++i) want += i * 7 % kBins == b;
    CHECK_EQ(bins[b], want);
  }
}

static void section(double* data, int n) {
#pragma omp parallel for reduction(max : data[2 : n])
  for (int i = 0; i < n; ++i) {
    double* slot = &data[2 + i * 5 % n];
    if (*slot < i) *slot = i;
  }
}

static void two_dimensions(void) {
  static long table[20][30];
#pragma omp parallel reduction(+ : table)
  for (int r = 0; r < 20; ++r)
    for (int c = 0; c < 30; ++c) table[r][c] += r * c;
  for (int r = 0; r < 20; ++r)
    for (int c = 0; c < 30; ++c) CHECK_EQ(table[r][c], r * c * omp_get_max_threads());
}

int main(void) {
  whole();
  double data[46];
  for (int i = 0; i < 46; ++i) data[i] = -1;
  section(data, 42);
  CHECK(data[0] == -1 && data[1] == -1 && data[44] == -1 && data[45] == -1);
  for (int i = 0; i < 42; ++i) CHECK(data[2 + i * 5 % 42] == i);
  two_dimensions();
  return check_result();
}
