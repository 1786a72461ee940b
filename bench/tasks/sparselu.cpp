// sparselu: LU factors of a matrix of blocks, most of which are empty, without pivots.
//
// Why    One thread generates all tasks, in phases with a taskwait between them. A phase has many
//        tasks at first and few in the end, and which blocks exist changes as they fill in.
// Check  Loops without tasks must give the same factors, to the last bit: each block sees the same
//        operations in the same order.
//
// test: variant untied -DUNTIED
#include <memory>

#include "../kernels/blocks.hpp"
#include "kernel.hpp"

namespace {

constexpr int kSide = 24;

using Block = bench::Block<kSide>;

class Matrix {
 public:
  explicit Matrix(int n) : n_(n), blocks_(static_cast<size_t>(n) * n) {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (std::abs(i - j) <= 1 || bench::scrambled(number(i, j)) % 4 == 0) fill(i, j);
  }

  int side() const { return n_; }
  bool has(int i, int j) const { return blocks_[number(i, j)] != nullptr; }
  Block& operator()(int i, int j) {
    auto& block = blocks_[number(i, j)];
    if (block == nullptr) block = std::make_unique<Block>();  // all zero
    return *block;
  }
  bool operator==(const Matrix& other) const {
    for (size_t i = 0; i < blocks_.size(); ++i) {
      const auto &a = blocks_[i], &b = other.blocks_[i];
      if (!a != !b || (a && std::memcmp(a.get(), b.get(), sizeof(Block)) != 0)) return false;
    }
    return true;
  }

 private:
  size_t number(int i, int j) const { return static_cast<size_t>(i) * n_ + j; }
  // The diagonal outweighs its row: no pivots are needed.
  void fill(int i, int j) {
    Block& block = (*this)(i, j);
    uint64_t place = number(i, j) << 20;
    for (auto& row : block.at)
      for (double& x : row) x = bench::uniform(place++) - 0.5;
    for (int k = 0; i == j && k < kSide; ++k) block.at[k][k] += n_ * kSide;
  }

  int n_;
  std::vector<std::unique_ptr<Block>> blocks_;
};

void factor_by_loops(Matrix& m) {
  for (int k = 0; k < m.side(); ++k) {
    factor(m(k, k));
    for (int j = k + 1; j < m.side(); ++j)
      if (m.has(k, j)) solve_row(m(k, k), m(k, j));
    for (int i = k + 1; i < m.side(); ++i)
      if (m.has(i, k)) solve_column(m(k, k), m(i, k));
    for (int i = k + 1; i < m.side(); ++i)
      for (int j = k + 1; m.has(i, k) && j < m.side(); ++j)
        if (m.has(k, j)) subtract_product(m(i, k), m(k, j), m(i, j));
  }
}

void factor_by_tasks(Matrix& m) {
  const int n = m.side();
  for (int k = 0; k < n; ++k) {
    factor(m(k, k));
    for (int j = k + 1; j < n; ++j)
      if (m.has(k, j)) {
#pragma omp task TIEDNESS shared(m)
        solve_row(m(k, k), m(k, j));
      }
    for (int i = k + 1; i < n; ++i)
      if (m.has(i, k)) {
#pragma omp task TIEDNESS shared(m)
        solve_column(m(k, k), m(i, k));
      }
#pragma omp taskwait
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; m.has(i, k) && j < n; ++j)
        if (m.has(k, j)) {
#pragma omp task TIEDNESS shared(m)
          subtract_product(m(i, k), m(k, j), m(i, j));
        }
#pragma omp taskwait
  }
}

class Kernel {
 public:
  static constexpr const char* kName = "sparselu";
  static constexpr long kSmall = 8, kLarge = 60, kMost = 200;  // blocks in a row

  explicit Kernel(long size) : matrix_(static_cast<int>(size)), expected_(matrix_.side()) {
    factor_by_loops(expected_);
  }
  void prepare() { matrix_ = Matrix(matrix_.side()); }
  void run() {
#pragma omp parallel
#pragma omp single
    factor_by_tasks(matrix_);
  }
  bool right() const { return matrix_ == expected_; }
  long tasks() const { return 0; }

 private:
  Matrix matrix_, expected_;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
