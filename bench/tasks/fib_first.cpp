// fib_first: as fib, with a task for the first call of each node only, as most programs write it.
// The second call is the task's own, and so the tasks of a depth are of all lengths.
#include "fib.hpp"
#include "kernel.hpp"

namespace {

long fib(long n) {
  if (n < 2) return n;
  long one;
#pragma omp task shared(one)
  one = fib(n - 1);
  const long two = fib(n - 2);
#pragma omp taskwait
  return one + two;
}

struct Kernel : bench::Fib {
  static constexpr const char* kName = "fib_first";
  static constexpr long kLarge = 34;

  using Fib::Fib;
  long tasks() const { return Fib::tasks() / 2; }
  void run() {
#pragma omp parallel
#pragma omp single
    answer = fib(n);
  }
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
