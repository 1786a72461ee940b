// Inclusive and exclusive scans: each iteration sees the sum of the iterations before it, whatever
// the schedule and the number of threads.
// test: skip clang makes wrong code: it forgets the old value, and ends with a signal
#include <omp.h>

#include <vector>

#include "check.h"

namespace {

// An operation whose order matters: texts one after the other, as numbers of base 3, modulo 2^64.
struct Word {
  unsigned long value = 0, power = 1;
  void append(const Word& next) {
    value = value * next.power + next.value;
    power *= next.power;
  }
};
#pragma omp declare reduction(append:Word : omp_out.append(omp_in)) initializer(omp_priv = Word())

void inclusive(int trip) {
  std::vector<long> sums(static_cast<size_t>(trip) + 1);
  long* const out = sums.data();
  long sum = 10;
#pragma omp parallel for reduction(inscan, + : sum)
  for (int i = 0; i < trip; ++i) {
    sum += i;
#pragma omp scan inclusive(sum)
    out[i] = sum;
  }
  for (long i = 0; i < trip; ++i) CHECK_EQ(out[i], 10 + i * (i + 1) / 2);
  CHECK_EQ(sum, 10L + static_cast<long>(trip) * (trip - 1) / 2);
}

void exclusive(int trip) {
  std::vector<int> most(static_cast<size_t>(trip) + 1);
  int* const out = most.data();
  int high = -1;
#pragma omp parallel
#pragma omp for reduction(inscan, max : high)
  for (int i = 0; i < trip; ++i) {
    out[i] = high;
#pragma omp scan exclusive(high)
    high = high > i * 37 % 101 ? high : i * 37 % 101;
  }
  int want = -1;
  for (int i = 0; i < trip; ++i) {
    CHECK_EQ(out[i], want);
    want = want > i * 37 % 101 ? want : i * 37 % 101;
  }
  CHECK_EQ(high, want);
}

void in_order(int trip) {
  std::vector<unsigned long> values(static_cast<size_t>(trip) + 1);
  unsigned long* const out = values.data();
  Word all;
#pragma omp parallel for reduction(inscan, append : all)
  for (int i = 0; i < trip; ++i) {
    all.append({static_cast<unsigned long>(i % 3), 3});
#pragma omp scan inclusive(all)
    out[i] = all.value;
  }
  Word want;
  for (int i = 0; i < trip; ++i) {
    want.append({static_cast<unsigned long>(i % 3), 3});
    CHECK_EQ(out[i], want.value);
  }
}

}  // namespace

int main() {
  for (int trip : {1, 2, 3, 7, 63, 64, 65, 500}) {
    inclusive(trip);
    exclusive(trip);
    in_order(trip);
  }
  return check_result();
}
