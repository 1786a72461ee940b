// yardstick.hpp: whether each thread of this process has a core, and the whole of it.
//
// Why    A virtual machine's core is a hardware thread of another machine. What that runs beside it
//        is in no counter here, and yet everything takes up to twice as long then, for milliseconds
//        to seconds. And a thread that has just been made may stay on its maker's core for twenty
//        milliseconds, until the system moves it. Figures of such a time tell nothing of a schedule
//        or a runtime.
// How    All threads do the same arithmetic at once, as much as a core can do: so many chains that
//        do not wait for each other leave nothing for a neighbour. How long the slowest took is
//        told beside a figure; whoever reads them leaves out those beside which it took longer.
//        Before the first figure it is done until all were at it at the same time.
#pragma once
#include <omp.h>

#include <algorithm>
#include <limits>

#include "numbers.hpp"

namespace bench {

struct Span {
  double start, end;
};

// Some tenths of a millisecond.
inline Span do_arithmetic() {
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
  return {start, end};
}

struct Yardstick {
  double slowest_ns;
  bool together;  // at one time all threads were at it
};

inline Yardstick yardstick() {
  double slowest = 0, last_start = 0, first_end = std::numeric_limits<double>::infinity();
#pragma omp parallel reduction(max : slowest, last_start) reduction(min : first_end)
  {
    const Span span = do_arithmetic();
    slowest = span.end - span.start;
    last_start = span.start;
    first_end = span.end;
  }
  return {slowest, last_start < first_end};
}

// Without OpenMP.
inline Yardstick yardstick_alone() {
  const Span span = do_arithmetic();
  return {span.end - span.start, true};
}

// Ends at last where there are more threads than cores, too.
inline void wait_for_cores() {
  constexpr double kLongestNs = 1e8;
  constexpr int kInARow = 5;
  const double begin = clock_ns(CLOCK_MONOTONIC);
  for (int row = 0; row < kInARow && clock_ns(CLOCK_MONOTONIC) - begin < kLongestNs;)
    row = yardstick().together ? row + 1 : 0;
}

}  // namespace bench
