// memory: how fast the machine's memory is, for data of a given size: what bounds a triangular
// solve, which reads each entry of a factor once.
//
//     memory [--bytes N] [--threads N]
//
// How    Two loops over arrays of together N bytes: the triad a = b + s c of the STREAM benchmark,
//        and a sum, which only reads. Bytes are counted as the loops name them: that the triad's
//        lines of `a` are also read by the cache is not counted. Threads have equal parts and begin
//        together. The best of kRounds is reported, since anything else only makes it slower.
#include <algorithm>
#include <barrier>
#include <cstdio>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#include "../kernels/arguments.hpp"
#include "../kernels/numbers.hpp"

namespace {

constexpr int kRounds = 15;

struct Arrays {
  explicit Arrays(size_t bytes)
      : size(std::max<size_t>(bytes / 3 / sizeof(double), 64)), at(new double[3 * size]) {}

  double* a() const { return at.get(); }
  double* b() const { return at.get() + size; }
  double* c() const { return at.get() + 2 * size; }

  size_t size;
  std::unique_ptr<double[]> at;
};

void triad(const Arrays& arrays, size_t begin, size_t end) {
  double* __restrict const a = arrays.a();
  const double* const b = arrays.b();
  const double* const c = arrays.c();
  for (size_t i = begin; i < end; ++i) a[i] = b[i] + 0.5 * c[i];
}

double sum(const Arrays& arrays, size_t begin, size_t end) {
  constexpr size_t kChains = 16;  // so that additions do not wait for each other
  const double* const all = arrays.at.get();
  double chains[kChains] = {};
  for (size_t i = 3 * begin; i + kChains <= 3 * end; i += kChains)
    for (size_t k = 0; k < kChains; ++k) chains[k] += all[i + k];
  double total = 0;
  for (const double one : chains) total += one;
  return total;
}

struct Best {
  double triad_ns = 1e300, sum_ns = 1e300;
};

Best measure(const Arrays& arrays, int threads) {
  Best best;
  std::barrier together(threads);
  std::vector<double> sums(static_cast<size_t>(threads) * 8);
  const auto run = [&](int thread) {
    const size_t begin = arrays.size * static_cast<size_t>(thread) / threads;
    const size_t end = arrays.size * static_cast<size_t>(thread + 1) / threads;
    std::fill(arrays.a() + begin, arrays.a() + end, 0.0);
    std::fill(arrays.b() + begin, arrays.b() + end, 1.0);
    std::fill(arrays.c() + begin, arrays.c() + end, 2.0);
    const auto timed = [&](double& least, const auto& loop) {
      together.arrive_and_wait();
      const double start = bench::clock_ns(CLOCK_MONOTONIC);
      loop();
      together.arrive_and_wait();
      const double end_ns = bench::clock_ns(CLOCK_MONOTONIC);
      if (thread == 0) least = std::min(least, end_ns - start);
    };
    for (int round = 0; round < kRounds; ++round) {
      timed(best.triad_ns, [&] { triad(arrays, begin, end); });
      timed(best.sum_ns, [&] { sums[static_cast<size_t>(thread) * 8] = sum(arrays, begin, end); });
    }
  };
  std::vector<std::thread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back(run, thread);
  run(0);
  for (std::thread& other : others) other.join();
  double total = 0;
  for (const double one : sums) total += one;
  if (!(total > 0)) std::exit(4);  // and so the sums cannot be left out
  return best;
}

}  // namespace

int main(int argc, char** argv) {
  constexpr const char* kAccepted =
      "--bytes N (1000 to 100000000000), --threads N (1 to 1024), each value after its name";
  long bytes = 100'000'000;
  int threads = 1;
  const auto set_value = [&](std::string_view name, const char* value) {
    if (name == "--bytes")
      bytes = bench::number(name, value, 1000L, 100'000'000'000L, kAccepted);
    else if (name == "--threads")
      threads = bench::number(name, value, 1, 1024, kAccepted);
    else
      return false;
    return true;
  };
  bench::read_arguments(argc, argv, kAccepted, bench::no_flag, set_value);
  const Arrays arrays(static_cast<size_t>(bytes));
  const Best best = measure(arrays, threads);
  const double moved = static_cast<double>(3 * arrays.size * sizeof(double));
  std::printf("{\"kind\":\"memory\",\"bytes\":%.0f,\"threads\":%d,\"triad\":%.3f,\"sum\":%.3f}\n",
              moved, threads, moved / best.triad_ns, moved / best.sum_ns);
  return 0;
}
