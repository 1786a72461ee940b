// fft: a fast Fourier transform by halves, whose butterflies are split into tasks as well.
//
// test: variant untied -DUNTIED
#include "fft.hpp"

namespace {

struct Kernel : bench::Fft {
  using Fft::Fft;

  void run() {
#pragma omp parallel
#pragma omp single
    transform(input.data(), 1, output.data(), points);
  }

  void transform(const Complex* from, long stride, Complex* to, long count) const {
    if (count <= kLeaf) return leaf(from, stride, to, count);
#pragma omp task TIEDNESS
    transform(from, 2 * stride, to, count / 2);
#pragma omp task TIEDNESS
    transform(from + stride, 2 * stride, to + count / 2, count / 2);
#pragma omp taskwait
    join(to, stride, count, 0, count / 2);
  }

  void join(Complex* at, long stride, long count, long first, long last) const {
    if (last - first <= kGrain) return butterflies(at, stride, count, first, last);
    const long middle = (first + last) / 2;
#pragma omp task TIEDNESS
    join(at, stride, count, first, middle);
#pragma omp task TIEDNESS
    join(at, stride, count, middle, last);
#pragma omp taskwait
  }
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
