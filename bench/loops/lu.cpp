// lu: LU factors of a dense matrix in blocks, without pivots.
//
// Why    Blocks are alike, but each step has fewer of them: loops shrink from many iterations to
//        one, with a border loop before each. A schedule that learns must not trust the last call.
// Work   Multiplications per block. The published figures are of the blocks that a step can
//        schedule, which is the row "blocks in a step".
// Check  L (U x) = A x for a vector x of noise, which takes no factorisation.
#include "../kernels/blocks.hpp"
#include "kernel.hpp"

namespace {

constexpr int kSide = 16;

using Block = bench::Block<kSide>;

class Kernel {
 public:
  static constexpr const char* kName = "lu";
  static constexpr std::array kInputs = {""};

  Kernel(size_t, double scale)
      : n_(bench::scaled(40, scale, 3, 2)), original_(n_ * n_), noise_(n_ * kSide) {
    for (size_t i = 0; i < noise_.size(); ++i) noise_[i] = bench::uniform(i);
    uint64_t place = noise_.size();
    for (Block& block : original_)
      for (auto& row : block.at)
        for (double& x : row) x = bench::uniform(place++) - 0.5;
    for (long k = 0; k < n_; ++k)  // the diagonal outweighs its row: no pivots are needed
      for (int i = 0; i < kSide; ++i) original_[k * n_ + k].at[i][i] += n_ * kSide;
    product_ = times(original_, [](long, long) { return true; }, noise_);
    note_works();
  }

  void prepare() { blocks_ = original_; }

  void run(bench::Tickets& tickets) {
    for (long k = 0; k < n_; ++k) {
      const long rest = n_ - k - 1;
      const Block& corner = at(k, k);
      factor(at(k, k));
      uint64_t bordered = 0, updated = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : bordered)
      for (long i = 0; i < 2 * rest; ++i) {
        bordered += bench::ticket(i);
        i < rest ? solve_row(corner, at(k, k + 1 + i))
                 : solve_column(corner, at(k + 1 + i - rest, k));
      }
      tickets.loop(bordered, 2 * rest);
#pragma omp parallel for schedule(runtime) reduction(+ : updated)
      for (long b = 0; b < rest * rest; ++b) {
        updated += bench::ticket(b);
        const long i = k + 1 + b / rest, j = k + 1 + b % rest;
        subtract_product(at(i, k), at(k, j), at(i, j));
      }
      tickets.loop(updated, rest * rest);
    }
  }

  bool right() const {
    const auto above = times(blocks_, [](long i, long j) { return i <= j; }, noise_);
    auto found = times(blocks_, [](long i, long j) { return i > j; }, above);
    for (size_t i = 0; i < found.size(); ++i) {  // L has ones in the diagonal
      found[i] += above[i];
      if (!(std::abs(found[i] - product_[i]) <= 1e-12 * std::abs(product_[i]))) return false;
    }
    return true;
  }

  const std::vector<bench::Work>& works() const { return works_; }

 private:
  Block& at(long i, long j) { return blocks_[i * n_ + j]; }

  // The product of x and the part of the matrix where `counts` is true.
  template <class Counts>
  std::vector<double> times(const std::vector<Block>& blocks, const Counts& counts,
                            const std::vector<double>& x) const {
    std::vector<double> y(x.size());
    for (long i = 0; i < n_ * kSide; ++i)
      for (long j = 0; j < n_ * kSide; ++j)
        if (counts(i, j))
          y[i] += blocks[i / kSide * n_ + j / kSide].at[i % kSide][j % kSide] * x[j];
    return y;
  }

  void note_works() {
    works_.emplace_back("border", "multiplications");
    works_.emplace_back("update", "multiplications");
    works_.emplace_back("blocks in a step", "blocks", bench::Published{5.4e4, 2.4e7, 1.6e4});
    for (long rest = n_ - 1; rest > 0; --rest) {
      for (long i = 0; i < 2 * rest; ++i) works_[0].add(kSide * kSide * (kSide - 1) / 2);
      for (long i = 0; i < rest * rest; ++i) works_[1].add(kSide * kSide * kSide);
      works_[2].add(rest * rest);
    }
  }

  long n_;
  std::vector<Block> original_, blocks_;
  std::vector<double> noise_, product_;
  std::vector<bench::Work> works_;
};

}  // namespace

int main(int argc, char** argv) { return bench::loop_main<Kernel>(argc, argv); }
