// handovers: who follows whom when all threads add to one variable before each barrier.
//
//     handovers --group N --package N [--runtime FILE]
//
// Why    A reduction that the compiler makes of atomic additions takes as long as the line with the
//        sum needs to go round. How long that is depends on the order in which threads come, and
//        that order on how they left the barrier before.
// Order  An addition returns the sum so far, so it tells its place. Threads that follow each other
//        are counted by what they share: `--group` threads of following numbers share a cache,
//        `--package` a package. Threads must be bound close, one to a core.
// Check  In each round every place is taken once.
#include <omp.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "../../lab/mark.h"
#include "../../bench/micro/identity.hpp"

namespace {

constexpr int kWarm = 20, kRounds = 60, kMost = 256;

struct alignas(128) Places {
  long at[kRounds];
};
alignas(128) long sum;
Places places[kMost];

double rounds(bool adding) {
  double ns = 0;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    double start = 0;
    for (int r = -kWarm; r < kRounds; ++r) {
      if (r == 0) start = omp_get_wtime();
      if (adding) {
        const long place = __atomic_fetch_add(&sum, 1, __ATOMIC_RELAXED);
        if (r >= 0) places[me].at[r] = place;
      }
#pragma omp barrier
    }
    if (me == 0) ns = (omp_get_wtime() - start) * 1e9 / kRounds;
  }
  return ns;
}

// The threads of a round in the order of their places.
std::vector<int> order(int round, int threads) {
  std::vector<int> who(threads, -1);
  const long first = long{kWarm + round} * threads;
  for (int t = 0; t < threads; ++t) {
    const long place = places[t].at[round] - first;
    if (place < 0 || place >= threads || who[place] >= 0) {
      std::fprintf(stderr, "refused: place %ld of thread %d in round %d\n", place, t, round);
      std::exit(bench::kWrongAnswer);
    }
    who[place] = t;
  }
  return who;
}

}  // namespace

int main(int argc, char** argv) {
  int group = 0, package = 0;
  const char* runtime = nullptr;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view name = argv[i];
    if (name == "--group") group = std::atoi(argv[i + 1]);
    if (name == "--package") package = std::atoi(argv[i + 1]);
    if (name == "--runtime") runtime = argv[i + 1];
  }
  const int threads = bench::team_size();
  if (group < 1 || package < 1 || threads > kMost) {
    std::fprintf(stderr,
                 "usage: handovers --group N --package N [--runtime FILE]; 256 threads at most\n");
    return 2;
  }
  bench::identify(runtime, threads);
  LAB_START();
  const double alone = rounds(false), adding = rounds(true);
  LAB_STOP();
  double in_group = 0, in_package = 0, beyond = 0;
  for (int r = 0; r < kRounds; ++r) {
    const std::vector<int> who = order(r, threads);
    for (int i = 1; i < threads; ++i)
      ++(who[i] / group == who[i - 1] / group       ? in_group
         : who[i] / package == who[i - 1] / package ? in_package
                                                    : beyond);
  }
  std::printf(
      "{\"kind\":\"handovers\",\"barrier_ns\":%.0f,\"ns\":%.0f,\"group\":%.1f,\"package\":%.1f,"
      "\"beyond\":%.1f}\n",
      alone, adding, in_group / kRounds, in_package / kRounds, beyond / kRounds);
}
