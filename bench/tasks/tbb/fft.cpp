// fft, on oneTBB.
#include "../fft.hpp"

#include <tbb/task_group.h>

#include "arena.hpp"

namespace {

struct Kernel : bench::Fft {
  using Fft::Fft;

  void run() {
    bench::in_arena([this] { transform(input.data(), 1, output.data(), points); });
  }

  void transform(const Complex* from, long stride, Complex* to, long count) const {
    if (count <= kLeaf) return leaf(from, stride, to, count);
    tbb::task_group group;
    group.run([=, this] { transform(from, 2 * stride, to, count / 2); });
    group.run([=, this] { transform(from + stride, 2 * stride, to + count / 2, count / 2); });
    group.wait();
    join(to, stride, count, 0, count / 2);
  }

  void join(Complex* at, long stride, long count, long first, long last) const {
    if (last - first <= kGrain) return butterflies(at, stride, count, first, last);
    const long middle = (first + last) / 2;
    tbb::task_group group;
    group.run([=, this] { join(at, stride, count, first, middle); });
    group.run([=, this] { join(at, stride, count, middle, last); });
    group.wait();
  }
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
