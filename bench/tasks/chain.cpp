// chain: each task depends on the one before, so the kernel shows the cost of a dependence alone.
//
// The value depends on the order of the steps, and a step that is done twice changes it.
#include "kernel.hpp"

namespace {

struct Kernel {
  static constexpr const char* kName = "chain";
  static constexpr long kSmall = 2000, kLarge = 1'000'000, kMost = 1'000'000'000;

  explicit Kernel(long size) : length(size) {
    for (long i = 0; i < length; ++i) expected = step(expected, i);
  }
  void prepare() { value = 0; }
  void run() {
    uint64_t link = 0;
#pragma omp parallel shared(link)
#pragma omp single
    for (long i = 0; i < length; ++i) {
#pragma omp task depend(inout : link) shared(link)
      link = step(link, i);
    }
    value = link;
  }
  bool right() const { return value == expected; }
  long tasks() const { return length; }

  static uint64_t step(uint64_t before, long i) {
    return before * 0x9E3779B97F4A7C15u + static_cast<uint64_t>(i) + 1;
  }

  long length;
  uint64_t expected = 0, value = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
