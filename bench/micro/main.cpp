// main.cpp: measures constructs on the runtime of this process and prints JSON lines.
//
//     micro [--runtime FILE] [--only a,b] [--ms 20] [--batch-us 1000]    time each construct
//     micro ... --count N                              N and 3N operations of each, for callgrind
//     micro --list
//
// Why not Google Benchmark: its loop belongs to one thread and asks after every iteration or batch
// whether to go on. But most constructs here must run in lock step on a whole team, thousands of
// times inside one region; and callgrind needs exact counts, not calibrated ones. Only its argument
// parsing would be left to use.
//
// A batch is calibrated to last a millisecond, or --batch-us. A millisecond is long compared with the clock (25 ns) and
// with the one fork and join around the batch, and short enough that most batches escape an
// interruption. A process reports the median of its batches. The driver judges the spread between
// processes, because page and stack placement differ between processes and never within one.
#include <gnu/libc-version.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "../../lab/mark.h"
#include "../kernels/numbers.hpp"
#include "construct.hpp"
#include "identity.hpp"


namespace bench {
namespace {

constexpr long kMostOps = 1'000'000'000;  // calibration ends even if an operation costs nothing

struct Options {
  const char* runtime = nullptr;
  std::string only;
  double ms = 20;
  double batch_us = 1000;
  long count = 0;
  bool list = false;
};

std::vector<Construct> all_constructs() {
  std::vector<Construct> all;
  for (auto family :
       {parallel_family, loop_family, ordered_family, doacross_family, sync_family, lock_family,
        single_family, reduction_family, task_family, memory_family})
    for (const Construct& construct : family()) all.push_back(construct);
  return all;
}

bool named_in(std::string_view name, const std::string& list) {
  return list.empty() || ("," + list + ",").find("," + std::string(name) + ",") != list.npos;
}

void run_checked(const Construct& construct, long ops, int threads) {
  if (construct.run(ops, threads)) return;
  std::fprintf(stderr, "refused: wrong answer from %s (%ld operations, %d threads)\n",
               construct.name.data(), ops, threads);
  std::exit(kWrongAnswer);
}

double timed(const Construct& construct, long ops, int threads) {
  const double start = clock_ns(CLOCK_MONOTONIC);
  run_checked(construct, ops, threads);
  return clock_ns(CLOCK_MONOTONIC) - start;
}

// The count grows at most tenfold a step: the first runs are cold and would mislead a single
// extrapolation. A run that was long enough is repeated: on many threads one cold operation may be.
long calibrate(const Construct& construct, int threads, double batch_ns) {
  long ops = 1;
  for (;;) {
    double ns = timed(construct, ops, threads);
    if (ns >= batch_ns) ns = std::min(ns, timed(construct, ops, threads));
    if (ns >= batch_ns || ops > kMostOps) return ops;
    const double factor = std::clamp(1.2 * batch_ns / std::max(ns, 1.0), 1.5, 10.0);
    ops = static_cast<long>(static_cast<double>(ops) * factor) + 1;
  }
}

void time_construct(const Construct& construct, int threads, const Options& options) {
  LAB_START();
  const long ops = calibrate(construct, threads, options.batch_us * 1e3);
  std::vector<double> batches;
  for (double spent = 0; spent < options.ms * 1e6 || batches.size() < 3;) {
    const double ns = timed(construct, ops, threads);
    spent += ns;
    batches.push_back(ns / static_cast<double>(ops));
  }
  LAB_STOP();
  std::ranges::sort(batches);
  std::printf(
      "{\"kind\":\"time\",\"construct\":\"%s\",\"unit\":\"%s\",\"ns\":%.3f,\"best\":%.3f,"
      "\"batches\":%zu,\"ops\":%ld}\n",
      construct.name.data(), construct.unit.data(), batches[batches.size() / 2], batches.front(),
      batches.size(), ops);
}

// callgrind writes a dump each time this function of the C library is entered (--dump-before). Nobody else
// calls it; a function of our own would have no name in an installed program.
void mark() { static_cast<void>(gnu_get_libc_release()); }

// The difference of both dumps / 2N is the cost of one operation, without everything around it.
void count_construct(const Construct& construct, int threads, long ops) {
  run_checked(construct, ops, threads);
  mark();
  run_checked(construct, ops, threads);
  mark();
  run_checked(construct, 3 * ops, threads);
  mark();
  std::printf("{\"kind\":\"count\",\"construct\":\"%s\",\"unit\":\"%s\",\"ops\":%ld}\n",
              construct.name.data(), construct.unit.data(), 2 * ops);
}

[[noreturn]] void usage() {
  std::fputs(
      "usage: micro [--runtime FILE] [--only a,b] [--ms N] [--batch-us N] [--count N] [--list]\n",
      stderr);
  std::exit(2);
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--list") {
      options.list = true;
      continue;
    }
    if (++i == argc) usage();
    if (name == "--runtime")
      options.runtime = argv[i];
    else if (name == "--only")
      options.only = argv[i];
    else if (name == "--ms")
      options.ms = std::atof(argv[i]);
    else if (name == "--batch-us")
      options.batch_us = std::atof(argv[i]);
    else if (name == "--count")
      options.count = std::atol(argv[i]);
    else
      usage();
  }
  return options;
}

int run(const Options& options) {
  const int threads = team_size();
  if (const char* asked = std::getenv("OMP_NUM_THREADS");
      threads > kMaxThreads || (asked != nullptr && std::atoi(asked) != threads)) {
    std::fprintf(stderr, "refused: the team has %d threads\n", threads);
    return kWrongTeam;
  }
  identify(options.runtime, threads);
  for (const Construct& construct : all_constructs()) {
    if (!named_in(construct.name, options.only)) continue;
    if (construct.crashes != nullptr && construct.crashes(threads)) continue;
    if (options.count > 0)
      count_construct(construct, threads, options.count);
    else
      time_construct(construct, threads, options);
  }
  return 0;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  const bench::Options options = bench::parse(argc, argv);
  if (!options.list) return bench::run(options);
  for (const bench::Construct& construct : bench::all_constructs())
    std::printf("%-20s %s\n", construct.name.data(), construct.unit.data());
}
