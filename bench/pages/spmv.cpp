// spmv: y = A x by rows, A in compressed rows; x then takes half of itself and y.
//
// Why    Three of the five arrays are as long as the matrix has elements or rows and are read where
//        the loop's thread writes; x is read everywhere in a band, and a little beyond it.
// Matrix A row has 9 to 15 elements, all but two within 32 columns of the diagonal.
#include "program.hpp"

namespace {

class Kernel {
 public:
  static constexpr const char* kName = "spmv";
  static constexpr long kSize = 1024;  // rows

  Kernel(long size, int threads)
      : rows_(size * threads),
        begins_(make<int>(rows_ + 1)),
        columns_(make<int>(all_elements(rows_))),
        values_(make<double>(all_elements(rows_))),
        x_(make<double>(rows_)),
        y_(make<double>(rows_)) {}
  ~Kernel() {
    for (void* array :
         {static_cast<void*>(begins_), static_cast<void*>(columns_), static_cast<void*>(values_),
          static_cast<void*>(x_), static_cast<void*>(y_)})
      std::free(array);
  }
  Kernel(const Kernel&) = delete;

  void fill(bool serial) {
    int *const begins = begins_, *const columns = columns_;
    double *const values = values_, *const x = x_, *const y = y_;
    const long rows = rows_;
    bench::fill(serial, rows, [=](long i) { begins[i + 1] = elements(i); });
    begins[0] = 0;
    for (long i = 0; i < rows; ++i) begins[i + 1] += begins[i];
    bench::fill(serial, rows, [=](long i) {
      const int count = elements(i);
      for (int e = 0; e < count; ++e) {
        const uint64_t random = bench::scrambled(static_cast<uint64_t>(i * kMost + e));
        const long near = i + static_cast<long>(random % 65) - 32;
        const long far = static_cast<long>(random % static_cast<uint64_t>(rows));
        const long column = e < 2 ? far : near < 0 ? 0 : near < rows ? near : rows - 1;
        columns[begins[i] + e] = static_cast<int>(column);
        values[begins[i] + e] = 0.5 / count;
      }
      x[i] = bench::uniform(static_cast<uint64_t>(i));
      y[i] = 1;
    });
  }

  void step(long) {
    const int *const begins = begins_, *const columns = columns_;
    const double* const values = values_;
    double *const x = x_, *const y = y_;
    const long rows = rows_;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < rows; ++i) {
      double sum = 0;
      for (int e = begins[i]; e < begins[i + 1]; ++e) sum += values[e] * x[columns[e]];
      y[i] = sum;
    }
#pragma omp parallel for schedule(static)
    for (long i = 0; i < rows; ++i) x[i] = 0.5 * x[i] + y[i];
  }

  uint64_t checksum() const { return bench::bits_of(x_, rows_); }

 private:
  static constexpr int kMost = 15;  // elements of a row

  static int elements(long row) {
    return 9 + static_cast<int>(bench::scrambled(static_cast<uint64_t>(row)) % 7);
  }
  static long all_elements(long rows) {
    long sum = 0;
    for (long row = 0; row < rows; ++row) sum += elements(row);
    return sum;
  }
  template <class T>
  static T* make(long n) {
    return static_cast<T*>(std::malloc(static_cast<size_t>(n) * sizeof(T)));
  }

  long rows_;
  int *begins_, *columns_;
  double *values_, *x_, *y_;
};

}  // namespace

int main(int argc, char** argv) { return bench::pages_main<Kernel>(argc, argv); }
