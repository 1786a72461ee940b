// small: arrays that fit into the threads' own caches, in many short regions.
//
// Why    Nothing is to be gained by moving their pages, and a look at them is soon dearer than the
//        region.
#include "program.hpp"

namespace {

class Kernel {
 public:
  static constexpr const char* kName = "small";
  static constexpr long kSize = 256;  // doubles in an array

  Kernel(long size, int threads) : n_(size * threads), a_(make()), b_(make()) {}
  ~Kernel() { std::free(a_), std::free(b_); }
  Kernel(const Kernel&) = delete;

  void fill(bool serial) {
    double *const a = a_, *const b = b_;
    bench::fill(serial, n_, [=](long i) {
      a[i] = 1;
      b[i] = static_cast<double>(i % 1009);
    });
  }

  void step(long) {
    double *const a = a_, *const b = b_;
    const long n = n_;
    for (int round = 0; round < kRounds; ++round) {
#pragma omp parallel for schedule(static)
      for (long i = 0; i < n; ++i) a[i] = 0.5 * a[i] + b[i];
    }
  }

  uint64_t checksum() const { return bench::bits_of(a_, n_); }

 private:
  static constexpr int kRounds = 10;
  double* make() const {
    // A line that two threads share would cost more than all else, and malloc() decides by chance.
    return static_cast<double*>(std::aligned_alloc(64, static_cast<size_t>(n_) * sizeof(double)));
  }

  long n_;
  double *a_, *b_;
};

}  // namespace

int main(int argc, char** argv) { return bench::pages_main<Kernel>(argc, argv); }
