// fib: Fibonacci numbers by the naive recursion, a task for each call, so the kernel shows overhead
// alone.
//
// test: variant untied -DUNTIED
#include "fib.hpp"

#include "kernel.hpp"

namespace {

long fib(long n) {
  if (n < 2) return n;
  long one, two;
#pragma omp task TIEDNESS shared(one)
  one = fib(n - 1);
#pragma omp task TIEDNESS shared(two)
  two = fib(n - 2);
#pragma omp taskwait
  return one + two;
}

struct Kernel : bench::Fib {
  using Fib::Fib;
  void run() {
#pragma omp parallel
#pragma omp single
    answer = fib(n);
  }
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
