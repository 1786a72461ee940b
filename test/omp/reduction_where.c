// reduction on each construct that takes one, several at once, and with nowait.
#include <omp.h>

#include "check.h"

enum { kTrip = 500, kSum = kTrip * (kTrip - 1) / 2 };

static void on_parallel(void) {
  int threads = 0, ids = 0, most = omp_get_max_threads();
#pragma omp parallel reduction(+ : threads, ids)
  {
    ++threads;
    ids += omp_get_thread_num();
  }
  CHECK_EQ(threads, most);
  CHECK_EQ(ids, most * (most - 1) / 2);
}

static void on_sections(void) {
  int sum = 100;
#pragma omp parallel sections reduction(+ : sum)
  {
#pragma omp section
    sum += 1;
#pragma omp section
    sum += 10;
#pragma omp section
    sum += 1000;
  }
  CHECK_EQ(sum, 1111);
}

// One region has several reductions in a row, and all threads read the result after each.
static void in_a_row(void) {
  long sum = 0;
#pragma omp parallel shared(sum)
  for (int round = 1; round <= 30; ++round) {
#pragma omp for reduction(+ : sum) schedule(dynamic, 10)
    for (int i = 0; i < kTrip; ++i) sum += i;
    CHECK_EQ(sum, (long)round * kSum);
#pragma omp barrier
  }
}

static void with_nowait(void) {
  long a = 0, b = 0;
  double c = 1;
#pragma omp parallel shared(a, b, c)
  {
#pragma omp for reduction(+ : a) nowait
    for (int i = 0; i < kTrip; ++i) a += i;
#pragma omp for reduction(+ : b) reduction(* : c) nowait schedule(static, 7)
    for (int i = 0; i < kTrip; ++i) {
      b += 2 * i;
      if (i % 100 == 0) c *= 2;
    }
#pragma omp barrier
    CHECK_EQ(a, kSum);
    CHECK_EQ(b, 2 * kSum);
    CHECK(c == 32);
  }
}

// So many variables at once that a runtime's buffer for small reductions would overflow.
static void many(void) {
  long s[1] = {0}, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, j = 0, k = 0;
  double x = 0, y = 0;
#pragma omp parallel for reduction(+ : s, a, b, c, d, e, f, g, h, j, k, x, y)
  for (int i = 0; i < kTrip; ++i) {
    s[0] += i, a += i, b += i, c += i, d += i, e += i, f += i, g += i, h += i, j += i, k += i;
    x += i, y -= i;
  }
  CHECK(s[0] == kSum && a == kSum && b == kSum && c == kSum && d == kSum && e == kSum);
  CHECK(f == kSum && g == kSum && h == kSum && j == kSum && k == kSum && x == kSum && y == -kSum);
}

int main(void) {
  for (int round = 0; round < 10; ++round) {
    on_parallel();
    on_sections();
    in_a_row();
    with_nowait();
    many();
  }
  return check_result();
}
