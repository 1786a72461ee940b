// sync.cpp: barrier, critical, and the lock behind an atomic operation that no instruction can do.
//
// `line` is a control without any runtime: the time that the hardware takes to hand a cache line
// from one thread to another. On a virtual machine it may change several times in a run, when the
// host moves a virtual core; everything that synchronises changes with it.
// Entries of critical and atomic are counted over the team: if n threads enter in turn and each
// entry takes 20 ns, the figure is 20 ns. The counters inside are plain on purpose: a lost update
// shows.
//
// Memory order of `line`
//  L1 the release store of a turn synchronizes with the other thread's acquire load of that turn.
#include <omp.h>

#include <algorithm>
#include <atomic>

#include "construct.hpp"

namespace bench {
namespace {

// Threads 0 and 1 take turns; other threads have nothing to do. A thread that is alone hands the
// line to itself.
bool line(long ops, int threads) {
  std::atomic<long> turn{0};
  const int players = std::min(threads, 2);
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (long i = me; i < ops && me < players; i += players) {
      while (turn.load(std::memory_order_acquire) != i) {  // L1
      }
      turn.store(i + 1, std::memory_order_release);  // L1
    }
  }
  return turn.load() == ops;
}

// Reading a neighbour's line at every barrier would measure that miss too; so one in 64 reads it.
bool barrier(long ops, int threads) {
  Tally arrived;
  long early = 0;
#pragma omp parallel reduction(+ : early)
  {
    const int me = omp_get_thread_num();
    const int neighbour = (me + 1) % threads;
    long checked = 0;
    for (long i = 0; i < ops; ++i) {
      const bool check = i % 64 == 0;
      if (check) arrived.add(me);
#pragma omp barrier
      if (check) early += arrived.of(neighbour) < ++checked;
    }
  }
  return early == 0 && arrived.each_is((ops + 63) / 64, threads);
}

bool critical(long ops, int threads) {
  long entries = 0;
#pragma omp parallel
  {
    const long mine = share_of(ops, omp_get_thread_num(), threads);
    for (long i = 0; i < mine; ++i) {
#pragma omp critical
      ++entries;
    }
  }
  return entries == ops;
}

bool critical_named(long ops, int threads) {
  long entries = 0;
#pragma omp parallel
  {
    const long mine = share_of(ops, omp_get_thread_num(), threads);
    for (long i = 0; i < mine; ++i) {
#pragma omp critical(bench_sync)
      ++entries;
    }
  }
  return entries == ops;
}

// clang calls libatomic for an atomic of this size, so no part of the runtime would be measured.
#ifndef __clang__
bool atomic_fallback(long ops, int threads) {
  long double sum = 0;
#pragma omp parallel
  {
    const long mine = share_of(ops, omp_get_thread_num(), threads);
    for (long i = 0; i < mine; ++i) {
#pragma omp atomic
      sum += 1;
    }
  }
  return sum == static_cast<long double>(ops);
}
#endif

constexpr Construct kFamily[] = {
    {"line", "a cache line handed to the other thread, no runtime", line},
    {"barrier", "barrier", barrier},
    {"critical", "entry, unnamed", critical},
    {"critical_named", "entry, named", critical_named},
#ifndef __clang__
    {"atomic_fallback", "atomic update of a long double", atomic_fallback},
#endif
};

}  // namespace

std::span<const Construct> sync_family() { return kFamily; }

}  // namespace bench
