// synthetic: iterations whose length is uniform, or grows or falls exponentially along the loop.
//
// Why    These are the three loads on which the literature compares schedules. Uniform: two steps
//        each, so that only overhead is left. The others: lengths are the quantiles of an
//        exponential distribution in order, so the last (or first) twentieth holds a fifth of the
//        work.
// Work   Steps of a recurrence; each step needs the one before, so nothing can be vectorised.
// Check  The recurrence has a closed form for many steps. Each iteration adds its result to its own
//        element, once for each call.
#include "kernel.hpp"

namespace {

constexpr uint64_t kFactor = 6364136223846793005u, kAdd = 1442695040888963407u;
constexpr int kCalls = 5;

uint64_t walk(uint64_t x, uint64_t steps) {
  for (uint64_t s = 0; s < steps; ++s) {
    x = x * kFactor + kAdd;
    asm("" : "+r"(x));  // otherwise clang finds the closed form of eight steps
  }
  return x;
}

// The result of walk(), by squaring the step.
uint64_t jump(uint64_t x, uint64_t steps) {
  uint64_t factor = kFactor, add = kAdd;
  for (; steps > 0; steps /= 2) {
    if (steps % 2 == 1) x = x * factor + add;
    add *= factor + 1;
    factor *= factor;
  }
  return x;
}

class Kernel {
 public:
  static constexpr const char* kName = "synthetic";
  static constexpr std::array kInputs = {"uniform", "up", "down"};

  Kernel(size_t input, double scale)
      : trip_(bench::scaled(input == 0 ? 800'000 : 2000, scale)), steps_(trip_), sums_(trip_) {
    const bench::Published exponential{1e5, 9.9e9, 1e6};
    works_.emplace_back("walk", "steps", input == 0 ? bench::Published{2, 0, 0} : exponential);
    for (long i = 0; i < trip_; ++i) {
      steps_[i] = input == 0 ? 2 : quantile(input == 1 ? i : trip_ - 1 - i);
      works_[0].add(steps_[i]);
    }
  }

  void prepare() { std::fill(sums_.begin(), sums_.end(), 0); }

  void run(bench::Tickets& tickets) {
    for (int call = 0; call < kCalls; ++call) {
      uint64_t seen = 0;
#pragma omp parallel for schedule(runtime) reduction(+ : seen)
      for (long i = 0; i < trip_; ++i) {
        seen += bench::ticket(i);
        sums_[i] += walk(static_cast<uint64_t>(i), steps_[i]);
      }
      tickets.loop(seen, trip_);
    }
  }

  bool right() const {
    for (long i = 0; i < trip_; ++i)
      if (sums_[i] != kCalls * jump(static_cast<uint64_t>(i), steps_[i])) return false;
    return true;
  }

  const std::vector<bench::Work>& works() const { return works_; }

 private:
  static constexpr double kMeanSteps = 4000;

  uint64_t quantile(long i) const {
    const double below = (static_cast<double>(i) + 0.5) / static_cast<double>(trip_);
    return static_cast<uint64_t>(std::ceil(-kMeanSteps * std::log1p(-below)));
  }

  long trip_;
  std::vector<uint64_t> steps_, sums_;
  std::vector<bench::Work> works_;
};

}  // namespace

int main(int argc, char** argv) { return bench::loop_main<Kernel>(argc, argv); }
