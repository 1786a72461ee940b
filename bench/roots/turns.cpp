// turns: parallel regions and oneTBB's loops, one after the other.
//
// Why    Each runtime has threads of its own, as many as the machine has CPUs. Threads of the one that still poll when
//        the other's turn comes keep its threads from their CPUs.
// How    The work of each turn is equal parts, which all threads share on demand in oneTBB's loop, and as a static loop
//        in the region. `--idle` measures instead what the threads of a region take when it is over.
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <time.h>

#include <functional>

#include "process.hpp"

namespace {

uint64_t tbb_loop(const bench::Work& work) {
  return tbb::parallel_reduce(
      tbb::blocked_range<int>(0, bench::Work::kParts, 1), uint64_t{0},
      [&](const tbb::blocked_range<int>& parts, uint64_t sum) {
        for (int i = parts.begin(); i < parts.end(); ++i) sum += work.part(i);
        return sum;
      },
      std::plus<>());
}

struct Turns {
  const bench::ProcessOptions& options;
  const bench::Work& work;
  const uint64_t right = work.serial();

  void one() const {
    bench::expect(options.serial ? work.serial() : work.in_static_loop(), right);
    bench::expect(options.serial ? work.serial() : tbb_loop(work), right);
  }
};

void sleep_until(double ns) {
  const auto at = static_cast<long>(ns);
  const timespec then{at / 1'000'000'000, at % 1'000'000'000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, nullptr);
}

// The CPU time from 1 ms after a region's end to 20 ms after it, while its primary thread sleeps. Before it are regions
// with gaps of 3 ms, after which a runtime may expect another such gap.
void idle(const Turns& turns) {
  constexpr int kTimes = 5, kGaps = 8;
  double most = 0, sum = 0;
  for (int i = 0; i < kTimes; ++i) {
    for (int gap = 0; gap < kGaps; ++gap) {
      bench::expect(turns.work.in_static_loop(), turns.right);
      sleep_until(bench::clock_ns(CLOCK_MONOTONIC) + 3e6);
    }
    bench::expect(turns.work.in_static_loop(), turns.right);
    const double over = bench::clock_ns(CLOCK_MONOTONIC);
    sleep_until(over + 1e6);
    const double before = bench::clock_ns(CLOCK_PROCESS_CPUTIME_ID);
    sleep_until(over + 20e6);
    const double took = bench::clock_ns(CLOCK_PROCESS_CPUTIME_ID) - before;
    most = std::fmax(most, took);
    sum += took;
  }
  std::printf("{\"kind\":\"idle\",\"mean_ns\":%.0f,\"most_ns\":%.0f}\n", sum / kTimes, most);
}

}  // namespace

int main(int argc, char** argv) {
  bool is_idle = false;
  bench::ProcessOptions options;
  bench::read_arguments(
      argc, argv, std::string(bench::kProcessOptions) + ", --idle",
      [&](std::string_view name) {
        if (name == "--idle")
          is_idle = true;
        else
          return bench::set_flag(options, name);
        return true;
      },
      [&](std::string_view name, const char* value) {
        return bench::set_value(options, name, value);
      });
  LAB_START();
  const bench::Work work(options);
  if (!options.serial) bench::identify(options.runtime, bench::team_size());
  const Turns turns{options, work};
  if (is_idle) {
    idle(turns);
    return 0;
  }
  const double until = bench::clock_ns(CLOCK_MONOTONIC) + options.warm_ms * 1e6;
  do turns.one();
  while (bench::clock_ns(CLOCK_MONOTONIC) < until);
  const long count = std::max(1L, std::lround(options.total_ms * 1e3 / options.work_us / 2));
  const bench::Times start = bench::times_now();
  for (long i = 0; i < count; ++i) turns.one();
  const bench::Times end = bench::times_now();
  LAB_STOP();
  std::printf(
      "{\"kind\":\"turns\",\"wall_ns\":%.0f,\"cpu_ns\":%.0f,\"regions\":%ld,\"work_ns\":%.0f}\n",
      end.wall_ns - start.wall_ns, end.cpu_ns - start.cpu_ns, 2 * count,
      static_cast<double>(2 * count) * options.work_us * 1e3);
}
