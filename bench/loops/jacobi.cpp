// jacobi: sweeps of a 7-point stencil over a cube, a loop over its lines.
//
// Why    The work is even, on data that the same thread had in its cache a sweep ago. So the kernel
//        shows what a schedule loses by moving iterations, and what a slow core costs.
// Work   Points of a line.
// Check  The start is an eigenvector of the stencil, so that after all sweeps each point is its
//        start times a known factor.
#include <numbers>

#include "kernel.hpp"

namespace {

constexpr int kSweeps = 160;

class Kernel {
 public:
  static constexpr const char* kName = "jacobi";
  static constexpr std::array kInputs = {""};

  Kernel(size_t, double scale)
      : side_(bench::scaled(56, scale, 3, 2)), width_(side_ + 2), start_(width_ * width_ * width_) {
    for (long z = 1; z <= side_; ++z)
      for (long y = 1; y <= side_; ++y)
        for (long x = 1; x <= side_; ++x)
          start_[index(x, y, z)] = wave(1, x) * wave(2, y) * wave(1, z);
    works_.emplace_back("sweep", "points");
    for (long line = 0; line < side_ * side_; ++line) works_[0].add(side_);
  }

  void prepare() { from_ = to_ = start_; }

  void run(bench::Tickets& tickets) {
    const long trip = side_ * side_;
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
      uint64_t seen = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : seen)
      for (long line = 0; line < trip; ++line) {
        seen += bench::ticket(line);
        relax(line);
      }
      tickets.loop(seen, trip);
      from_.swap(to_);
    }
  }

  bool right() const {
    const double factor = std::pow((1 + 4 * cosine(1) + 2 * cosine(2)) / 7, kSweeps);
    for (size_t i = 0; i < start_.size(); ++i)
      if (!(std::abs(from_[i] - factor * start_[i]) <= 1e-12)) return false;
    return true;
  }

  const std::vector<bench::Work>& works() const { return works_; }

 private:
  double angle(long waves) const {
    return std::numbers::pi * static_cast<double>(waves) / static_cast<double>(side_ + 1);
  }
  double wave(long waves, long x) const { return std::sin(angle(waves) * static_cast<double>(x)); }
  double cosine(long waves) const { return std::cos(angle(waves)); }
  long index(long x, long y, long z) const { return (z * width_ + y) * width_ + x; }

  void relax(long line) {
    const long begin = index(1, 1 + line % side_, 1 + line / side_);
    for (long i = begin; i < begin + side_; ++i)
      to_[i] = (from_[i] + from_[i - 1] + from_[i + 1] + from_[i - width_] + from_[i + width_] +
                from_[i - width_ * width_] + from_[i + width_ * width_]) /
               7;
  }

  long side_, width_;
  std::vector<double> start_, from_, to_;
  std::vector<bench::Work> works_;
};

}  // namespace

int main(int argc, char** argv) { return bench::loop_main<Kernel>(argc, argv); }
