// atomic on floating and complex types, whose widths beyond the machine's take a lock somewhere.
// test: uses -latomic
#include <complex.h>
#include <omp.h>

#include "check.h"

enum { kRounds = 300, kOperations = 400000 };

// There are enough operations for threads to meet. The values are small integers, exact in every
// type, so any order gives the same sum.
#define REAL(type)                                      \
  static void real_##type(int threads) {                \
    type sum = 0, product = 1, reversed = 0;            \
    const int rounds = 2 * (kOperations / 2 / threads); \
    OMP(parallel num_threads(threads))                  \
    for (int i = 0; i < rounds; ++i) {                  \
      OMP(atomic) sum += 2;                             \
      OMP(atomic) sum -= 1;                             \
      OMP(atomic) product *= -1;                        \
      OMP(atomic) reversed = 3 - reversed;              \
    }                                                   \
    CHECK(sum == (type)(rounds * threads));             \
    CHECK(product == 1);                                \
    CHECK(reversed == 0);                               \
  }

typedef long double extended;
REAL(float)
REAL(double)
REAL(extended)

#ifdef __clang__  // gcc refuses complex types in atomic
#define COMPLEX(name, type)                     \
  static void name(int threads) {               \
    type sum = 0;                               \
    OMP(parallel num_threads(threads))          \
    for (int i = 0; i < kRounds; ++i) {         \
      OMP(atomic) sum += 1 + 2 * I;             \
    }                                           \
    CHECK(creal(sum) == kRounds * threads);     \
    CHECK(cimag(sum) == 2 * kRounds * threads); \
  }
COMPLEX(complex_float, float complex)
COMPLEX(complex_double, double complex)
#endif

static void capture(int threads) {
  static unsigned char taken[kRounds];
  long double next = 0;
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < kRounds; ++i) {
    long double mine;
#pragma omp atomic capture
    {
      mine = next;
      next += 1;
    }
    hit(taken, (long)mine);
  }
  CHECK_EACH_ONCE(taken, kRounds);
}

int main(void) {
  int threads = omp_get_max_threads();
  real_float(threads);
  real_double(threads);
  real_extended(threads);
#ifdef __clang__
  complex_float(threads);
  complex_double(threads);
#endif
  capture(threads);
  return check_result();
}
