// Reductions that the program declares: with an initializer, of a class, and of types from the
// standard library that no fast path handles.
#include <omp.h>

#include <algorithm>
#include <complex>
#include <map>
#include <vector>

#include "check.h"

struct Extent {
  int low = 1 << 30, high = -(1 << 30);
  long count = 0;
  void add(int x) {
    low = std::min(low, x);
    high = std::max(high, x);
    ++count;
  }
  void add(const Extent& other) {
    low = std::min(low, other.low);
    high = std::max(high, other.high);
    count += other.count;
  }
};
#pragma omp declare reduction(join:Extent : omp_out.add(omp_in))
#pragma omp declare reduction(+ : std::complex<double> : omp_out += omp_in)

using Counts = std::map<int, int>;
static void merge(Counts& into, const Counts& from) {
  for (auto [key, count] : from) into[key] += count;
}
#pragma omp declare reduction(merge:Counts : merge(omp_out, omp_in))

#pragma omp declare reduction(mul:long : omp_out = omp_out * omp_in % 1000003) \
    initializer(omp_priv = 1)

static void extent() {
  Extent extent;
#pragma omp parallel for reduction(join : extent) schedule(dynamic, 7)
  for (int i = -30000; i < 40000; ++i) extent.add(i * 3);
  CHECK_EQ(extent.low, -90000);
  CHECK_EQ(extent.high, 119997);
  CHECK_EQ(extent.count, 70000);
}

static void complex() {
  std::complex<double> z = 0;
#pragma omp parallel for reduction(+ : z)
  for (int i = 0; i < 100; ++i) z += std::complex<double>(i, -2 * i);
  CHECK(z == std::complex<double>(4950, -9900));
}

static void containers() {
  Counts counts;
#pragma omp parallel for reduction(merge : counts)
  for (int i = 0; i < 1000; ++i) ++counts[i % 17];
  CHECK_EQ(counts.size(), 17);
  CHECK_EQ(counts[0], 59);
  CHECK_EQ(counts[16], 58);
}

static void modular() {
  long product = 1, want = 1;
  for (int i = 1; i <= 500; ++i) want = want * i % 1000003;
#pragma omp parallel for reduction(mul : product) schedule(guided)
  for (int i = 1; i <= 500; ++i) product = product * i % 1000003;
  CHECK_EQ(product, want);
}

int main() {
  for (int round = 0; round < 20; ++round) {
    extent();
    complex();
    containers();
    modular();
  }
  return check_result();
}
