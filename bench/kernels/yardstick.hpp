// yardstick.hpp: whether each thread of this process has a whole core to itself.
//
// Why    A virtual machine's core is a hardware thread of another machine. No counter here shows
//        what that machine runs beside it; yet everything takes up to twice as long meanwhile, for
//        milliseconds to seconds. Besides, a new thread may stay on its creator's core for twenty
//        milliseconds, until the system moves it. Figures from such a time say nothing about a
//        schedule or a runtime.
// How    All threads do the same arithmetic at once, as much as a core can do: the many independent
//        chains leave nothing for a neighbour on the core. The time of the slowest thread is
//        printed beside a figure, and readers discard figures where that time is longer. Before
//        the first figure the arithmetic is repeated until all threads did it at the same time.
#pragma once
#include <omp.h>

#include <algorithm>
#include <limits>

#include "numbers.hpp"

namespace bench {

struct Span {
  double start, end;
};

// Takes some tenths of a millisecond.
inline Span do_arithmetic() {
  constexpr int kChains = 24, kRounds = 60'000;
  double chains[kChains];
  const double start = clock_ns(CLOCK_MONOTONIC);
  std::fill_n(chains, kChains, start);  // a value that no compiler knows
  for (int round = 0; round < kRounds; ++round)
    for (double& x : chains) x = x * 0.999 + 0.001;
  const double end = clock_ns(CLOCK_MONOTONIC);
  // The result is read, so that the compiler must compute it.
  volatile double sink = 0;
  for (const double x : chains) sink = x;
  static_cast<void>(sink);
  return {start, end};
}

struct Yardstick {
  double slowest_ns;
  bool together;  // at some time all threads were in the arithmetic
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

// The yardstick of one thread, without OpenMP.
inline Yardstick yardstick_alone() {
  const Span span = do_arithmetic();
  return {span.end - span.start, true};
}

// Ends after kLongestNs at the latest, so also where there are more threads than cores.
inline void wait_for_cores() {
  constexpr double kLongestNs = 1e8;
  constexpr int kInARow = 5;
  const double begin = clock_ns(CLOCK_MONOTONIC);
  for (int row = 0; row < kInARow && clock_ns(CLOCK_MONOTONIC) - begin < kLongestNs;)
    row = yardstick().together ? row + 1 : 0;
}

}  // namespace bench
