// trees: EPCC's task trees. In one form each node has a task that works and two that are trees, in
// the other only the leaves work.
#include "kernel.hpp"
#include "work.hpp"

namespace {

constexpr int kLevels = 6;
constexpr long kLeaves = 1 << kLevels, kNodes = 2 * kLeaves - 1;
constexpr long kSteps = 60;  // about 0.1 µs

void branch(int levels, long& sum) {
  long one = 0, left = 0, right = 0;
#pragma omp task shared(one)
  one = bench::work(kSteps);
  if (levels > 0) {
#pragma omp task shared(left)
    branch(levels - 1, left);
#pragma omp task shared(right)
    branch(levels - 1, right);
  }
#pragma omp taskwait
  sum = one + left + right;
}

void leaf(int levels, long& sum) {
  if (levels == 0) {
    sum = bench::work(kSteps);
    return;
  }
  long left, right;
#pragma omp task shared(left)
  leaf(levels - 1, left);
#pragma omp task shared(right)
  leaf(levels - 1, right);
#pragma omp taskwait
  sum = left + right;
}

struct Kernel {
  static constexpr const char* kName = "trees";
  static constexpr long kSmall = 20, kLarge = 4000, kMost = 1'000'000'000;

  explicit Kernel(long size) : trees(size) {}
  void prepare() { worked = 0; }
  void run() {
#pragma omp parallel
#pragma omp single
    for (long i = 0; i < trees; ++i) {
      long sum;
      branch(kLevels, sum);
      worked += sum;
      leaf(kLevels, sum);
      worked += sum;
    }
  }
  bool right() const { return worked == trees * (kNodes + kLeaves); }
  long tasks() const { return trees * (2 * kNodes - 1 + kNodes - 1); }

  long trees;
  long worked = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
