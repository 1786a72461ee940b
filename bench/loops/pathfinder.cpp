// pathfinder: the cheapest way down a grid, one row after another, a loop over each row's columns.
//
// Why    As in Rodinia every column takes the same little work. So a schedule can only lose, and
//        one that hands out columns singly loses much.
// Work   Operations for a column: three sums are compared, and two at the edges.
// Check  The last row by a serial loop. The tickets show that no column was done twice.
#include "kernel.hpp"

namespace {

constexpr int kRows = 20;

class Kernel {
 public:
  static constexpr const char* kName = "pathfinder";
  static constexpr std::array kInputs = {""};

  Kernel(size_t, double scale)
      : width_(bench::scaled(200'000, scale, 1, 2)), weights_(width_ * kRows) {
    for (size_t i = 0; i < weights_.size(); ++i)
      weights_[i] = static_cast<uint8_t>(bench::scrambled(i) % 10);
    works_.emplace_back("row", "operations", bench::Published{6, 2e-8, 1});
    prepare();
    for (int row = 1; row < kRows; ++row) {
      for (long j = 0; j < width_; ++j) works_[0].add(step(row, j));
      from_.swap(to_);
    }
    expected_ = from_;
  }

  void prepare() {
    from_.assign(weights_.begin(), weights_.begin() + width_);
    to_.assign(width_, 0);
  }

  void run(bench::Tickets& tickets) {
    for (int row = 1; row < kRows; ++row) {
      uint64_t seen = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : seen)
      for (long j = 0; j < width_; ++j) {
        seen += bench::ticket(j);
        step(row, j);
      }
      tickets.loop(seen, width_);
      from_.swap(to_);
    }
  }

  bool right() const { return from_ == expected_; }
  const std::vector<bench::Work>& works() const { return works_; }

 private:
  uint64_t step(int row, long j) {
    int least = from_[j];
    if (j > 0) least = std::min(least, from_[j - 1]);
    if (j + 1 < width_) least = std::min(least, from_[j + 1]);
    to_[j] = least + weights_[row * width_ + j];
    return j > 0 && j + 1 < width_ ? 6 : 5;
  }

  long width_;
  std::vector<uint8_t> weights_;
  std::vector<int> from_, to_, expected_;
  std::vector<bench::Work> works_;
};

}  // namespace

int main(int argc, char** argv) { return bench::loop_main<Kernel>(argc, argv); }
