// bandwidth: each thread goes round a workspace of its own that takes half of the last-level cache.
//
// Why    This loop gets slower with more threads: one thread's workspace stays in the cache; two
//        workspaces evict each other, and all threads wait for the memory.
// Size   One workspace fits in the last-level cache, and two do not: 16 MB where the cache has 32.
// Order  The lines in a block are visited in an order that no prefetcher guesses. The order is the
//        same in each round, so the lines that have been evicted are the ones needed next.
// Check  The sum over all workspaces is compared with what should have been added.
#include <array>

#include "kernel.hpp"

namespace {

constexpr long kLine = 8;         // words
constexpr unsigned kLines = 256;  // in a block; one iteration adds to all of them
constexpr long kBlock = kLines * kLine;
constexpr long kRounds = 2;  // that a thread makes in a step

// Element l is l with its bits reversed.
constexpr std::array<uint8_t, kLines> make_order() {
  std::array<uint8_t, kLines> order{};
  for (unsigned l = 1; l < kLines; ++l)
    order[l] = static_cast<uint8_t>(order[l / 2] / 2 + l % 2 * (kLines / 2));
  return order;
}
constexpr std::array<uint8_t, kLines> kOrder = make_order();

class Kernel {
 public:
  static constexpr const char* kName = "bandwidth";
  static constexpr bench::Sizes kSizes{
      .usual = 1000, .small = 4, .least = 1, .most = 1'000'000};  // blocks in a workspace
  static constexpr double kTolerance = 0;

  explicit Kernel(long size)
      : n_(size), most_(omp_get_max_threads()), words_(most_ * n_ * kBlock) {}

  template <class Form>
  void start(Form form) {
    threads_ = Form::threads();
    form.loop(threads_ * n_, [&](long block) { std::fill_n(at(block), kBlock, 0); });
    cursors_.assign(static_cast<size_t>(threads_), Cursor{});
    steps_ = 0;
  }

  template <class Form>
  void step(Form form, long) {
    form.loop(kRounds * n_, [&](long i) {
      const int thread = Form::thread();
      long& next = cursors_[static_cast<size_t>(thread)].next;
      uint64_t* const words = at(thread * n_ + next);
      for (const uint8_t line : kOrder)
        for (long w = 0; w < kLine; ++w) words[line * kLine + w] += static_cast<uint64_t>(i + w);
      next = next + 1 < n_ ? next + 1 : 0;
    });
    ++steps_;
  }

  double difference(const Kernel& other) const { return sum() == other.sum() ? 0 : 1; }

  const char* complaint() const {
    const auto trip = static_cast<uint64_t>(kRounds * n_), block = static_cast<uint64_t>(kBlock);
    const uint64_t of_numbers = trip * (trip - 1) / 2 * block;
    const uint64_t of_words = kLine * (kLine - 1) / 2 * kLines * trip;
    const uint64_t wanted = steps_ * (of_numbers + of_words);
    return sum() == wanted ? nullptr : "a block left out or repeated";
  }

 private:
  struct alignas(64) Cursor {
    long next = 0;
  };

  uint64_t* at(long block) const { return &words_[block * kBlock]; }

  uint64_t sum() const {
    uint64_t sum = 0;
    for (long w = 0; w < threads_ * n_ * kBlock; ++w) sum += words_[w];
    return sum;
  }

  long n_;
  int most_, threads_ = 0;
  bench::Array<uint64_t> words_;
  std::vector<Cursor> cursors_;
  uint64_t steps_ = 0;
};

}  // namespace

int main(int argc, char** argv) { return bench::kernel_main<Kernel>(argc, argv); }
