// loops.cpp: worksharing loops: the cost of a loop, and the cost of one chunk.
//
// A chunk's cost is taken from one long loop, so the loop's own cost vanishes in it. `for`,
// `for_nowait` and `dynamic_loop` measure that cost, with one iteration for each thread.
// `dynamic` is written without a modifier, so each compiler requests its default modifier:
// nonmonotonic for both since OpenMP 5.
// `guided` is reported by loop, because the runtime chooses how many chunks a loop has.
#include <omp.h>

#include "construct.hpp"

namespace bench {
namespace {

constexpr int kGuidedTripPerThread = 1024;
constexpr int kLargeChunk = 8;
constexpr int kMicrosecond = 750;  // steps of a chain; a step multiplies and adds

bool loop_static(long ops, int threads) {
  Tally tally;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (long i = 0; i < ops; ++i) {
#pragma omp for schedule(static)
      for (int k = 0; k < threads; ++k) tally.add(me);
    }
  }
  return tally.each_is(ops, threads);
}

bool loop_static_nowait(long ops, int threads) {
  Tally tally;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (long i = 0; i < ops; ++i) {
#pragma omp for schedule(static) nowait
      for (int k = 0; k < threads; ++k) tally.add(me);
    }
  }
  return tally.each_is(ops, threads);
}

bool static_chunk(long ops, int) {
  long done = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : done)
  for (long k = 0; k < ops; ++k) {
    keep(k);
    ++done;
  }
  return done == ops;
}

bool dynamic_chunk(long ops, int) {
  long done = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : done)
  for (long k = 0; k < ops; ++k) {
    keep(k);
    ++done;
  }
  return done == ops;
}

bool dynamic_monotonic_chunk(long ops, int) {
  long done = 0;
#pragma omp parallel for schedule(monotonic : dynamic, 1) reduction(+ : done)
  for (long k = 0; k < ops; ++k) {
    keep(k);
    ++done;
  }
  return done == ops;
}

bool dynamic_large_chunk(long ops, int) {
  long done = 0;
#pragma omp parallel for schedule(dynamic, kLargeChunk) reduction(+ : done)
  for (long k = 0; k < ops * kLargeChunk; ++k) {
    keep(k);
    ++done;
  }
  return done == ops * kLargeChunk;
}

bool dynamic_loop(long ops, int threads) {
  Tally tally;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (long i = 0; i < ops; ++i) {
#pragma omp for schedule(dynamic)
      for (int k = 0; k < threads; ++k) tally.add(me);
    }
  }
  return tally.sum() == ops * threads;
}

bool guided_loop(long ops, int threads) {
  Tally tally;
  const int trip = kGuidedTripPerThread * threads;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (long i = 0; i < ops; ++i) {
#pragma omp for schedule(guided)
      for (int k = 0; k < trip; ++k) tally.add(me);
    }
  }
  return tally.sum() == ops * trip;
}

// The schedule is left to the runtime: the cost of choosing it shows in a short loop.
bool runtime_loop(long ops, int threads) {
  Tally tally;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (long i = 0; i < ops; ++i) {
#pragma omp for schedule(runtime)
      for (int k = 0; k < threads; ++k) {
        unsigned long chain = static_cast<unsigned long>(k);
        for (int step = 0; step < kMicrosecond; ++step) {
          chain = chain * 6364136223846793005u + 1;
          keep(chain);
        }
        tally.add(me);
      }
    }
  }
  return tally.sum() == ops * threads;
}

constexpr Construct kFamily[] = {
    {"for", "static loop with its barrier", loop_static},
    {"for_nowait", "static loop, nowait", loop_static_nowait},
    {"static_chunk", "chunk of schedule(static,1)", static_chunk},
    {"dynamic", "chunk of schedule(dynamic,1)", dynamic_chunk},
    {"dynamic_monotonic", "chunk of schedule(monotonic:dynamic,1)", dynamic_monotonic_chunk},
    {"dynamic_8", "chunk of schedule(dynamic,8)", dynamic_large_chunk},
    {"dynamic_loop", "dynamic loop, one iteration a thread", dynamic_loop},
    {"runtime_1us", "schedule(runtime), a microsecond a thread", runtime_loop},
    {"guided", "guided loop, 1024 iterations a thread", guided_loop},
};

}  // namespace

std::span<const Construct> loop_family() { return kFamily; }

}  // namespace bench
