// patterns: in each step a region goes along the rows of a matrix, and the next one along its
// columns.
//
// Why    No placement in blocks is right for both: what the first region gains by it the second
//        one loses, or does not care.
#include "program.hpp"

namespace {

class Kernel {
 public:
  static constexpr const char* kName = "patterns";
  static constexpr long kSize = 24;  // rows

  Kernel(long size, int threads) : rows_(size * threads), a_(make()) {}
  ~Kernel() { std::free(a_); }
  Kernel(const Kernel&) = delete;

  void fill(bool serial) {
    double* const a = a_;
    bench::fill(serial, rows_ * kColumns,
                [=](long i) { a[i] = bench::uniform(static_cast<uint64_t>(i)); });
  }

  // A recurrence along each row, then along each column; a thread goes along its columns together.
  void step(long) {
    double* const a = a_;
    const long rows = rows_;
#pragma omp parallel for schedule(static)
    for (long row = 0; row < rows; ++row) {
      double* const in = a + row * kColumns;
      for (long i = 1; i < kColumns; ++i) in[i] = 0.5 * (in[i] + in[i - 1]);
    }
#pragma omp parallel
    {
      const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
      const long begin = kColumns * thread / threads, end = kColumns * (thread + 1) / threads;
      for (long row = 1; row < rows; ++row) {
        double *const in = a + row * kColumns, *const above = in - kColumns;
        for (long i = begin; i < end; ++i) in[i] = 0.5 * (in[i] + above[i]);
      }
    }
  }

  uint64_t checksum() const { return bench::bits_of(a_, rows_ * kColumns); }

 private:
  static constexpr long kColumns = 512;

  double* make() const {
    return static_cast<double*>(
        std::malloc(static_cast<size_t>(rows_ * kColumns) * sizeof(double)));
  }

  long rows_;
  double* a_;
};

}  // namespace

int main(int argc, char** argv) { return bench::pages_main<Kernel>(argc, argv); }
