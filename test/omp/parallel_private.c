// private, firstprivate of many sizes, and what a region must not change outside.
#include <omp.h>

#include "check.h"

typedef struct {
  char text[37];
  double value;
} Odd;

static int ran;

static void firstprivate_sizes(void) {
  char c = 'v';
  short s = -2;
  int i = 3;
  long long l = 1LL << 40;
  float f = 0.5f;
  double d = -0.25;
  long double e = 1.0L / 3;
  Odd odd = {"a structure of an odd size", 42.0};
  int array[5] = {1, 2, 3, 4, 5};
#pragma omp parallel firstprivate(c, s, i, l, f, d, e, odd, array)
  {
    CHECK(c == 'v' && s == -2 && i == 3 && l == 1LL << 40);
    CHECK(f == 0.5f && d == -0.25 && e == 1.0L / 3);
    CHECK(odd.value == 42.0 && strcmp(odd.text, "a structure of an odd size") == 0);
    for (int k = 0; k < 5; ++k) CHECK_EQ(array[k], k + 1);
    int me = omp_get_thread_num();
    c = 0, s = 0, i = me, l = me, f = 0, d = me, e = 0, odd.value = me, array[4] = me;
#pragma omp atomic
    ++ran;
#pragma omp barrier
    CHECK(i == me && l == me && d == me && odd.value == me && array[4] == me);
  }
  CHECK(c == 'v' && s == -2 && i == 3 && l == 1LL << 40 && e == 1.0L / 3);
  CHECK(odd.value == 42.0 && array[4] == 5);
}

static void private_copies(void) {
  int x = 17;
  int* outside = &x;
#pragma omp parallel private(x) shared(outside)
  {
    x = omp_get_thread_num();
    CHECK(&x != outside);
#pragma omp atomic
    ++ran;
#pragma omp barrier
    CHECK_EQ(x, omp_get_thread_num());
  }
  CHECK_EQ(x, 17);
}

static void variable_length(int n) {
  double a[n];
  for (int i = 0; i < n; ++i) a[i] = i;
#pragma omp parallel firstprivate(a)
  {
    for (int i = 0; i < n; ++i) CHECK(a[i] == i);
    a[0] = omp_get_thread_num();
#pragma omp atomic
    ++ran;
#pragma omp barrier
    CHECK(a[0] == omp_get_thread_num());
  }
  CHECK(a[0] == 0);
}

int main(void) {
  firstprivate_sizes();
  private_copies();
  variable_length(11);
  CHECK_EQ(ran, 3 * omp_get_max_threads());
  return check_result();
}
