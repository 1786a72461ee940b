// shared_line: each thread counts in a word of its own, but the words share a cache line.
//
// Why    This loop gets slower with more threads, by a mistake that is easily made: no word is
//        shared, but each write takes the line from the other threads.
// Check  The sum of the words has a closed form. Words are accessed relaxed: the sum is read after
//        the loop's end.
#include <atomic>

#include "kernel.hpp"

namespace {

constexpr int kWords = 8;       // in a line
constexpr long kCounts = 1024;  // in an iteration, so that asking for the thread number is cheap

class Kernel {
 public:
  static constexpr const char* kName = "shared_line";
  static constexpr bench::Sizes kSizes{
      .usual = 2'500, .small = 20, .least = 1, .most = 10'000'000};  // iterations in a step
  static constexpr double kTolerance = 0;

  explicit Kernel(long size) : n_(size) {}

  template <class Form>
  void start(Form) {
    for (auto& word : words_) word = 0;
    steps_ = 0;
  }

  // Threads beyond the first kWords - 1 share the last word, so they must add atomically.
  template <class Form>
  void step(Form form, long) {
    form.loop(n_, [&](long i) {
      const int thread = Form::thread();
      for (long c = 0; c < kCounts; ++c)
        if (thread < kWords - 1)
          words_[thread].store(words_[thread].load(std::memory_order_relaxed) + i + c,
                               std::memory_order_relaxed);
        else
          words_[kWords - 1].fetch_add(static_cast<uint64_t>(i + c), std::memory_order_relaxed);
    });
    ++steps_;
  }

  double difference(const Kernel& other) const { return sum() == other.sum() ? 0 : 1; }

  const char* complaint() const {
    const uint64_t n = static_cast<uint64_t>(n_), c = kCounts;
    const uint64_t wanted = steps_ * (n * (n - 1) / 2 * c + c * (c - 1) / 2 * n);
    return sum() == wanted ? nullptr : "counts lost or repeated";
  }

 private:
  uint64_t sum() const {
    uint64_t sum = 0;
    for (const auto& word : words_) sum += word;
    return sum;
  }

  long n_;
  uint64_t steps_ = 0;
  alignas(64) std::atomic<uint64_t> words_[kWords] = {};
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
