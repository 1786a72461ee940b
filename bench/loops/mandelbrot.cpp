// mandelbrot: an image of the Mandelbrot set, a loop over its lines.
//
// Why    The work varies smoothly by two orders of magnitude and is hard to predict, and there are
//        hardly any data: the kernel shows balance and nothing else.
// Work   Steps of the recurrence in a line.
// Check  Each line's steps by a serial form, added once for each call.
#include "kernel.hpp"

namespace {

constexpr int kCalls = 4, kMostSteps = 200;

class Kernel {
 public:
  static constexpr const char* kName = "mandelbrot";
  static constexpr std::array kInputs = {""};

  Kernel(size_t, double scale)
      : lines_(bench::scaled(240, scale, 2, 2)), columns_(lines_ * 3 / 2), expected_(lines_) {
    works_.emplace_back("lines", "steps");
    for (long y = 0; y < lines_; ++y) {
      const uint64_t steps = line(y);
      expected_[y] = kCalls * steps;
      works_[0].add(steps);
    }
  }

  void prepare() { steps_.assign(lines_, 0); }

  void run(bench::Tickets& tickets) {
    for (int call = 0; call < kCalls; ++call) {
      uint64_t seen = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : seen)
      for (long y = 0; y < lines_; ++y) {
        seen += bench::ticket(y);
        steps_[y] += line(y);
      }
      tickets.loop(seen, lines_);
    }
  }

  bool right() const { return steps_ == expected_; }
  const std::vector<bench::Work>& works() const { return works_; }

 private:
  static uint64_t steps_at(double real, double imaginary) {
    double x = 0, y = 0;
    uint64_t steps = 1;
    for (; steps < kMostSteps && x * x + y * y <= 4; ++steps) {
      const double next = x * x - y * y + real;
      y = 2 * x * y + imaginary;
      x = next;
    }
    return steps;
  }

  // The image goes from -2 to 1 and from -0.5 to 1.5: lines at the top cost more than those at the
  // bottom.
  uint64_t line(long y) const {
    const double imaginary = -0.5 + 2 * static_cast<double>(y) / static_cast<double>(lines_);
    uint64_t steps = 0;
    for (long x = 0; x < columns_; ++x)
      steps += steps_at(-2 + 3 * static_cast<double>(x) / static_cast<double>(columns_), imaginary);
    return steps;
  }

  long lines_, columns_;
  std::vector<uint64_t> steps_, expected_;
  std::vector<bench::Work> works_;
};

}  // namespace

int main(int argc, char** argv) { return bench::loop_main<Kernel>(argc, argv); }
