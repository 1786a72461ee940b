// radix: a pass of a radix sort by 8 bits in each step: a histogram of each thread's block, and a
// scatter to anywhere.
//
// Why    Blocks are right for what is read and no better than anything else for what is written.
// Steps  After four passes all is sorted, and the keys get other values, by a function that is one
//        to one.
#include "program.hpp"

namespace {

class Kernel {
 public:
  static constexpr const char* kName = "radix";
  static constexpr long kSize = 12'288;  // keys

  Kernel(long size, int threads)
      : n_(size * threads), keys_(make(n_)), other_(make(n_)), counts_(make_counts(threads)) {}
  ~Kernel() { std::free(keys_), std::free(other_), std::free(counts_); }
  Kernel(const Kernel&) = delete;

  void fill(bool serial) {
    uint32_t *const keys = keys_, *const other = other_;
    bench::fill(serial, n_, [=](long i) {
      keys[i] = static_cast<uint32_t>(bench::scrambled(static_cast<uint64_t>(i)));
      other[i] = 1;
    });
  }

  void step(long number) {
    const int shift = static_cast<int>(number % 4) * 8;
    if (shift == 0 && number > 0) change();
    uint32_t *const keys = keys_, *const other = other_, *const counts = counts_;
    const long n = n_;
#pragma omp parallel
    {
      const int thread = omp_get_thread_num(), threads = omp_get_num_threads();
      const long begin = n * thread / threads, end = n * (thread + 1) / threads;
      uint32_t* const mine = counts + thread * kDigits;
      for (int d = 0; d < kDigits; ++d) mine[d] = 0;
      for (long i = begin; i < end; ++i) ++mine[keys[i] >> shift & (kDigits - 1)];
#pragma omp barrier
#pragma omp single
      {
        uint32_t before = 0;
        for (int d = 0; d < kDigits; ++d)
          for (int t = 0; t < threads; ++t) {
            const uint32_t count = counts[t * kDigits + d];
            counts[t * kDigits + d] = before;
            before += count;
          }
      }
      for (long i = begin; i < end; ++i) other[mine[keys[i] >> shift & (kDigits - 1)]++] = keys[i];
    }
    keys_ = other;
    other_ = keys;
  }

  uint64_t checksum() const { return bench::bits_of(keys_, n_); }

 private:
  static constexpr int kDigits = 256;

  static uint32_t* make(long n) {
    return static_cast<uint32_t*>(std::malloc(static_cast<size_t>(n) * sizeof(uint32_t)));
  }
  // Each thread's counts begin a cache line, so that no line has counts of two threads.
  static uint32_t* make_counts(int threads) {
    constexpr size_t kLine = 64;
    const size_t count = static_cast<size_t>(kDigits) * static_cast<size_t>(threads);
    return static_cast<uint32_t*>(std::aligned_alloc(kLine, count * sizeof(uint32_t)));
  }
  void change() {
    uint32_t* const keys = keys_;
    const long n = n_;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; ++i) {
      uint32_t key = keys[i] * 0x9E3779B1u;
      keys[i] = key ^ key >> 15;
    }
  }

  long n_;
  uint32_t *keys_, *other_, *counts_;
};

}  // namespace

int main(int argc, char** argv) { return bench::pages_main<Kernel>(argc, argv); }
