// triad: three arrays by malloc, a = b + 3 c by a static loop.
//
// Why    The loop does nothing but wait for memory: with all pages on one node, all threads wait
//        for that node.
#include "program.hpp"

namespace {

class Kernel {
 public:
  static constexpr const char* kName = "triad";
  static constexpr long kSize = 8192;  // doubles in an array

  Kernel(long size, int threads) : n_(size * threads), a_(make()), b_(make()), c_(make()) {}
  ~Kernel() { std::free(a_), std::free(b_), std::free(c_); }
  Kernel(const Kernel&) = delete;

  void fill(bool serial) {
    double *const a = a_, *const b = b_, *const c = c_;
    bench::fill(serial, n_, [=](long i) {
      a[i] = 1;  // not 0: gcc would make malloc and zeros a calloc, which touches nothing
      b[i] = static_cast<double>(i % 1009);
      c[i] = static_cast<double>(i % 2003);
    });
  }

  void step(long) {
    double *const a = a_, *const b = b_, *const c = c_;
    const long n = n_;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; ++i) a[i] = b[i] + 3 * c[i];
  }

  uint64_t checksum() const { return bench::bits_of(a_, n_); }

 private:
  double* make() const {
    return static_cast<double*>(std::malloc(static_cast<size_t>(n_) * sizeof(double)));
  }

  long n_;
  double *a_, *b_, *c_;
};

}  // namespace

int main(int argc, char** argv) { return bench::pages_main<Kernel>(argc, argv); }
