// fib, on oneTBB.
#include "../fib.hpp"

#include <tbb/task_group.h>

#include "../kernel.hpp"
#include "arena.hpp"

namespace {

long fib(long n) {
  if (n < 2) return n;
  long one, two;
  tbb::task_group group;
  group.run([&one, n] { one = fib(n - 1); });
  group.run([&two, n] { two = fib(n - 2); });
  group.wait();
  return one + two;
}

struct Kernel : bench::Fib {
  using Fib::Fib;
  void run() {
    bench::in_arena([this] { answer = fib(n); });
  }
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
