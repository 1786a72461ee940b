// C++ loops: random access iterators, pointers and ranges.
#include <omp.h>

#include <deque>
#include <list>
#include <numeric>
#include <vector>

#include "check.h"

static void iterators() {
  std::vector<int> v(1234);
  std::deque<long> d(777, 1);
#pragma omp parallel for schedule(dynamic, 10)
  for (auto it = v.begin(); it < v.end(); ++it) *it = int(it - v.begin());
  for (size_t i = 0; i < v.size(); ++i) CHECK_EQ(v[i], i);
#pragma omp parallel for schedule(static, 3)
  for (auto it = d.rbegin(); it < d.rend(); it += 2) *it += 5;
  CHECK_EQ(std::accumulate(d.begin(), d.end(), 0L), 777 + 5 * 389);
}

static void pointers() {
  static double a[500];
#pragma omp parallel for schedule(guided)
  for (double* p = a + 499; p >= a + 1; p -= 3) *p = 1;
  CHECK(std::accumulate(a, a + 500, 0.0) == 167.0);
}

static void ranges() {
  std::vector<unsigned> v(321);
#pragma omp parallel for
  for (unsigned& x : v) x = 2;
  CHECK_EQ(std::accumulate(v.begin(), v.end(), 0u), 642);
}

int main() {
  iterators();
  pointers();
  ranges();
  return check_result();
}
