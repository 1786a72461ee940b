// atomics: all threads add to a few shared words.
//
// Why    This loop gets slower with more threads: the cache line with the words moves from core to
//        core, and each addition waits for it.
// Serial The serial form adds with the same instructions: the comparison is between places where
//        iterations run, not between kinds of work.
// Check  Each word's sum is compared with one that is counted without the loop. Additions are
//        relaxed: sums are read after the loop's end.
#include "kernel.hpp"

namespace {

constexpr uint64_t kWords = 4;

class Kernel {
 public:
  static constexpr const char* kName = "atomics";
  static constexpr bench::Sizes kSizes{
      .usual = 250'000, .small = 500, .least = 1, .most = 1'000'000'000};  // additions in a step
  static constexpr double kTolerance = 0;

  explicit Kernel(long size) : n_(size) {}

  template <class Form>
  void start(Form) {
    std::fill_n(words_, kWords, 0);
    steps_ = 0;
  }

  template <class Form>
  void step(Form form, long) {
    form.loop(n_, [&](long i) {
      __atomic_fetch_add(&words_[word_of(i)], static_cast<uint64_t>(i), __ATOMIC_RELAXED);
    });
    ++steps_;
  }

  double difference(const Kernel& other) const {
    return std::equal(words_, words_ + kWords, other.words_) ? 0 : 1;
  }

  const char* complaint() const {
    uint64_t wanted[kWords] = {};
    for (long i = 0; i < n_; ++i) wanted[word_of(i)] += steps_ * static_cast<uint64_t>(i);
    return std::equal(words_, words_ + kWords, wanted) ? nullptr : "additions lost or repeated";
  }

 private:
  static uint64_t word_of(long i) { return static_cast<uint64_t>(i) * 7 / 3 % kWords; }

  long n_;
  uint64_t steps_ = 0;
  alignas(64) uint64_t words_[kWords] = {};
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
