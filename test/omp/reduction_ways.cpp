// Each way in which a runtime combines partial results, forced in turn, gives the right answer. The
// deterministic way gives the same bits every time. gcc combines without the runtime.
// test: variant critical KMP_FORCE_REDUCTION=critical clang
// test: variant atomic KMP_FORCE_REDUCTION=atomic clang
// test: variant tree KMP_FORCE_REDUCTION=tree clang
// test: variant deterministic KMP_DETERMINISTIC_REDUCTION=1 clang
#include <omp.h>

#include "check.h"

constexpr int kRounds = 100;
constexpr int kCount = 10000;
constexpr long kSum = 50005000;

struct Parts {
  long part[3] = {};
  void add(const Parts& other) {
    for (int i = 0; i < 3; ++i) part[i] += other.part[i];
  }
};
#pragma omp declare reduction(add:Parts : omp_out.add(omp_in))

static double blocking() {
  double harmonic = 0;
  long sum = 0;
  int most = -1;
  Parts parts;
#pragma omp parallel for reduction(+ : harmonic, sum) reduction(max : most) reduction(add : parts)
  for (int i = 1; i <= kCount; ++i) {
    harmonic += 1.0 / i;
    sum += i;
    most = i > most ? i : most;
    parts.part[i % 3] += i;
  }
  CHECK_EQ(sum, kSum);
  CHECK_EQ(most, kCount);
  CHECK_EQ(parts.part[0] + parts.part[1] + parts.part[2], kSum);
  return harmonic;
}

// Two reductions in a row before the barrier: what the first one leaves behind must not disturb the
// second.
static void nowait() {
  long sum = 0;
  Parts parts;
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum) nowait
    for (int i = 1; i <= kCount; ++i) sum += i;
#pragma omp for reduction(add : parts) nowait
    for (int i = 1; i <= kCount; ++i) parts.part[i % 3] += i;
#pragma omp barrier
    CHECK_EQ(sum, kSum);
    CHECK_EQ(parts.part[0] + parts.part[1] + parts.part[2], kSum);
  }
}

// After the construct all threads see the result, not only the thread that combined.
static void inside() {
  long sum = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum)
    for (int i = 1; i <= kCount; ++i) sum += i;
    CHECK_EQ(sum, kSum);
#pragma omp barrier
#pragma omp single
    sum = 0;
  }
}

int main() {
  const double first = blocking();
  bool same = true;
  for (int round = 0; round < kRounds; ++round) {
    same &= blocking() == first;
    nowait();
    inside();
  }
  if (getenv("KMP_DETERMINISTIC_REDUCTION")) CHECK(same);
  return check_result();
}
