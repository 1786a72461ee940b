// strassen: a product of matrices by seven products of halves each, with a task for each product.
//
// Check  Products with random vectors: A (B v) = C v. All entries are small whole numbers, so that
//        every sum and the comparison are exact; a wrong C passes with a chance below 1/1000 for
//        each vector.
//
// test: variant untied -DUNTIED
#include <memory>

#include "kernel.hpp"

namespace {

constexpr long kLeaf = 64;

struct Square {
  double* at;
  long stride;

  double* row(long i) const { return at + i * stride; }
  Square part(long i, long j, long half) const {
    return {at + i * half * stride + j * half, stride};
  }
};

class Storage {
 public:
  Storage(long squares, long n) : n_(n), data_(new double[static_cast<size_t>(squares * n * n)]) {}
  Square operator[](long i) const { return {data_.get() + i * n_ * n_, n_}; }

 private:
  long n_;
  std::unique_ptr<double[]> data_;
};

// to = a + sign * b
Square add(Square to, Square a, double sign, Square b, long n) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j) to.row(i)[j] = a.row(i)[j] + sign * b.row(i)[j];
  return to;
}

void multiply_leaf(Square c, Square a, Square b, long n) {
  for (long i = 0; i < n; ++i) {
    for (long j = 0; j < n; ++j) c.row(i)[j] = 0;
    for (long k = 0; k < n; ++k)
      for (long j = 0; j < n; ++j) c.row(i)[j] += a.row(i)[k] * b.row(k)[j];
  }
}

void multiply(Square c, Square a, Square b, long n);

// A factor of one of the seven products: left + sign * right; for sign 0 it is `left` alone.
struct Factor {
  Square left;
  double sign;
  Square right;

  Square value(Square scratch, long n) const {
    return sign == 0 ? left : add(scratch, left, sign, right, n);
  }
};

void product(Square m, const Factor& a, const Factor& b, long n) {
  const Storage scratch(2, n);
  multiply(m, a.value(scratch[0], n), b.value(scratch[1], n), n);
}

void join(Square c, const Storage& m, long h) {
  const Square c11 = c.part(0, 0, h), c12 = c.part(0, 1, h), c21 = c.part(1, 0, h),
               c22 = c.part(1, 1, h);
  for (long i = 0; i < h; ++i)
    for (long j = 0; j < h; ++j) {
      const auto of = [&](long k) { return m[k].row(i)[j]; };
      c11.row(i)[j] = of(0) + of(3) - of(4) + of(6);
      c12.row(i)[j] = of(2) + of(4);
      c21.row(i)[j] = of(1) + of(3);
      c22.row(i)[j] = of(0) - of(1) + of(2) + of(5);
    }
}

void multiply(Square c, Square a, Square b, long n) {
  if (n <= kLeaf) return multiply_leaf(c, a, b, n);
  const long h = n / 2;
  const Square a11 = a.part(0, 0, h), a12 = a.part(0, 1, h), a21 = a.part(1, 0, h),
               a22 = a.part(1, 1, h);
  const Square b11 = b.part(0, 0, h), b12 = b.part(0, 1, h), b21 = b.part(1, 0, h),
               b22 = b.part(1, 1, h);
  const Factor factors[7][2] = {
      {{a11, 1, a22}, {b11, 1, b22}},  {{a21, 1, a22}, {b11, 0, b11}},
      {{a11, 0, a11}, {b12, -1, b22}}, {{a22, 0, a22}, {b21, -1, b11}},
      {{a11, 1, a12}, {b22, 0, b22}},  {{a21, -1, a11}, {b11, 1, b12}},
      {{a12, -1, a22}, {b21, 1, b22}},
  };
  const Storage m(7, h);
  for (long k = 0; k < 7; ++k) {
#pragma omp task TIEDNESS shared(m, factors)
    product(m[k], factors[k][0], factors[k][1], h);
  }
#pragma omp taskwait
  join(c, m, h);
}

using Vector = std::vector<double>;

Vector times(Square a, const Vector& v) {
  Vector result(v.size());
  for (size_t i = 0; i < v.size(); ++i)
    for (size_t j = 0; j < v.size(); ++j) result[i] += a.row(static_cast<long>(i))[j] * v[j];
  return result;
}

class Kernel {
 public:
  static constexpr const char* kName = "strassen";
  static constexpr long kSmall = 2, kLarge = 4, kMost = 7;  // how often matrices are halved

  explicit Kernel(long size) : n_(kLeaf << size), data_(3, n_) {
    for (long i = 0; i < 2 * n_ * n_; ++i) data_[0].at[i] = whole(static_cast<uint64_t>(i), 8);
  }
  void prepare() { std::fill_n(data_[2].at, n_ * n_, -1); }
  void run() {
#pragma omp parallel
#pragma omp single
    multiply(data_[2], data_[0], data_[1], n_);
  }
  bool right() const {
    for (uint64_t trial = 1; trial <= 3; ++trial) {
      Vector v(static_cast<size_t>(n_));
      for (size_t i = 0; i < v.size(); ++i) v[i] = whole(trial << 40 | i, 1000);
      if (times(data_[0], times(data_[1], v)) != times(data_[2], v)) return false;
    }
    return true;
  }
  long tasks() const { return 0; }

 private:
  static double whole(uint64_t place, uint64_t most) {
    return static_cast<double>(bench::scrambled(place) % (2 * most + 1)) -
           static_cast<double>(most);
  }

  long n_;
  Storage data_;  // A, B, C
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
