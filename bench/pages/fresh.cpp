// fresh: each step allocates an array, fills it, uses it in two regions and frees it.
//
// Why    What is moved for such an array is moved in vain: it is gone before it has paid. Only the
//        result stays, and all threads fill it.
#include "program.hpp"

namespace {

class Kernel {
 public:
  static constexpr const char* kName = "fresh";
  static constexpr long kSize = 4096;  // doubles in an array

  Kernel(long size, int threads) : n_(size * threads), sums_(make()) {}
  ~Kernel() { std::free(sums_); }
  Kernel(const Kernel&) = delete;

  void fill(bool serial) {
    serial_ = serial_ && serial;
    double* const sums = sums_;
    bench::fill(false, n_, [=](long i) { sums[i] = 1; });
  }

  void step(long number) {
    double *const sums = sums_, *const fresh = make();
    const long n = n_;
    bench::fill(serial_, n, [=](long i) { fresh[i] = static_cast<double>(i % 1009 + number); });
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; ++i) fresh[i] = 0.25 * fresh[i];
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; ++i) sums[i] = 0.5 * sums[i] + fresh[i];
    std::free(fresh);
  }

  uint64_t checksum() const { return bench::bits_of(sums_, n_); }

 private:
  double* make() const {
    return static_cast<double*>(std::malloc(static_cast<size_t>(n_) * sizeof(double)));
  }

  long n_;
  double* sums_;
  bool serial_ = true;
};

}  // namespace

int main(int argc, char** argv) { return bench::pages_main<Kernel>(argc, argv); }
