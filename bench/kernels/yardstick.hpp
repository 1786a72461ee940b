// yardstick.hpp: whether the machine gives this process's threads whole cores.
//
// Why    A virtual machine's core is a hardware thread of another machine. What that runs beside it
//        is in no counter here, and yet everything takes up to twice as long then, for milliseconds
//        to seconds. Figures of such a time tell nothing of a schedule or a runtime.
// How    All threads do the same arithmetic at once, as much as a core can do: so many chains that
//        do not wait for each other leave nothing for a neighbour. How long the slowest took is
//        told beside a figure; whoever reads them leaves out those beside which it took longer.
#pragma once
#include <omp.h>

#include <algorithm>

#include "numbers.hpp"

namespace bench {

// Some tenths of a millisecond.
inline double arithmetic_ns() {
  constexpr int kChains = 24, kRounds = 60'000;
  double chains[kChains];
  const double start = clock_ns(CLOCK_MONOTONIC);
  std::fill_n(chains, kChains, start);  // what no compiler knows
  for (int round = 0; round < kRounds; ++round)
    for (double& x : chains) x = x * 0.999 + 0.001;
  const double end = clock_ns(CLOCK_MONOTONIC);
  // Read, so that it is computed.
  volatile double sink = 0;
  for (const double x : chains) sink = x;
  static_cast<void>(sink);
  return end - start;
}

inline double yardstick_ns() {
  double slowest = 0;
#pragma omp parallel reduction(max : slowest)
  slowest = arithmetic_ns();
  return slowest;
}

}  // namespace bench
