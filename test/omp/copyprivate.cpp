// single copyprivate hands one thread's values, of many types and sizes, to all in quick
// succession: no thread may still read them after their owner has moved on.
#include <omp.h>

#include <memory>
#include <string>

#include "check.h"

struct Big {
  double values[100];
};

static void scalars() {
  char c = 0;
  int i = 0;
  double d = 0;
  long double e = 0;
#pragma omp parallel firstprivate(c, i, d, e)
  for (int round = 1; round < 100; ++round) {
#pragma omp single copyprivate(c, i, d, e)
    {
      c = char(round);
      i = -round;
      d = round / 2.0;
      e = round / 3.0L;
    }
    CHECK(c == char(round) && i == -round && d == round / 2.0 && e == round / 3.0L);
    // The next round's single may begin at once, while slower threads still look at this one's.
    i = d = 0;
  }
}

static void big_values() {
  Big big{};
  int array[50] = {0};
#pragma omp parallel firstprivate(big, array)
  for (int round = 1; round < 50; ++round) {
#pragma omp single copyprivate(big, array)
    for (int k = 0; k < 50; ++k) big.values[2 * k] = array[k] = round * k;
    for (int k = 0; k < 50; ++k) CHECK(big.values[2 * k] == round * k && array[k] == round * k);
  }
}

static void objects() {
  std::string text;
  std::shared_ptr<int> shared;
#pragma omp parallel firstprivate(text, shared)
  {
#pragma omp single copyprivate(text, shared)
    {
      text = "a string too long to be kept inside the object itself";
      shared = std::make_shared<int>(77);
    }
    CHECK_EQ(text.size(), 53);
    CHECK_EQ(*shared, 77);
#pragma omp barrier
    CHECK_EQ(shared.use_count(), omp_get_num_threads());
#pragma omp barrier
  }
}

int main() {
  for (int round = 0; round < 5; ++round) scalars();
  big_values();
  objects();
  return check_result();
}
