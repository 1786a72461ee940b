// wavefront: each cell of a square depends on the one above and the one on the left.
//
// Check  Two loops must give the same square. A cell that reads a neighbour too early sees the
//        value that prepare() left there, and every cell that depends on it is wrong.
#include "kernel.hpp"

namespace {

class Kernel {
 public:
  static constexpr const char* kName = "wavefront";
  static constexpr long kSmall = 40, kLarge = 1000, kMost = 10'000;  // cells in a row

  explicit Kernel(long size) : side_(static_cast<size_t>(size) + 1), expected_(side_ * side_) {
    clear(expected_);
    for (size_t i = 1; i < side_; ++i)
      for (size_t j = 1; j < side_; ++j) set(expected_.data(), i * side_ + j);
    cells_.resize(expected_.size());
  }
  void prepare() { clear(cells_); }
  void run() {
    uint64_t* const cells = cells_.data();
    const size_t side = side_;
#pragma omp parallel
#pragma omp single
    for (size_t i = 1; i < side; ++i)
      for (size_t j = 1; j < side; ++j) {
        const size_t here = i * side + j;
#pragma omp task depend(in : cells[here - side], cells[here - 1]) depend(out : cells[here])
        set(cells, here);
      }
  }
  bool right() const { return cells_ == expected_; }
  long tasks() const { return static_cast<long>((side_ - 1) * (side_ - 1)); }

 private:
  static constexpr uint64_t kUnset = 0xDEAD;

  void set(uint64_t* cells, size_t here) const {
    cells[here] = cells[here - side_] * 3 + cells[here - 1] * 5 + here;
  }
  // The first row and the first column have their values from the start.
  void clear(std::vector<uint64_t>& cells) const {
    for (size_t i = 0; i < side_; ++i)
      for (size_t j = 0; j < side_; ++j) cells[i * side_ + j] = i == 0 || j == 0 ? i + j : kUnset;
  }

  size_t side_;
  std::vector<uint64_t> expected_, cells_;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
