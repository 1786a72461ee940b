// doacross.cpp: iterations that wait for the iterations that they name; and teams.
//
// `doacross_by_hand` is `doacross` with an array of flags in the program itself: what a runtime can
// hardly go below. In `doacross_chunk` 15 of 16 iterations need one of their own thread, which has
// been posted. In `doacross_grid` an iteration needs its neighbours above and to the left, so a
// row can run as soon as the row above is a step ahead.
#include <omp.h>

#include <atomic>
#include <memory>

#include "construct.hpp"
#include "identity.hpp"

namespace bench {
namespace {

bool doacross(long ops, int) {
  long next = 0;
  long wrong = 0;
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (long k = 0; k < ops; ++k) {
#pragma omp ordered depend(sink : k - 1)
    wrong += next != k;
    next = k + 1;
#pragma omp ordered depend(source)
  }
  return wrong == 0 && next == ops;
}

bool doacross_chunk(long ops, int) {
  long next = 0;
  long wrong = 0;
#pragma omp parallel for ordered(1) schedule(static, 16)
  for (long k = 0; k < ops; ++k) {
#pragma omp ordered depend(sink : k - 1)
    wrong += next != k;
    next = k + 1;
#pragma omp ordered depend(source)
  }
  return wrong == 0 && next == ops;
}

bool doacross_dynamic(long ops, int) {
  long next = 0;
  long wrong = 0;
#pragma omp parallel for ordered(1) schedule(dynamic, 1)
  for (long k = 0; k < ops; ++k) {
#pragma omp ordered depend(sink : k - 1)
    wrong += next != k;
    next = k + 1;
#pragma omp ordered depend(source)
  }
  return wrong == 0 && next == ops;
}

void pause() {
#ifdef __aarch64__
  asm volatile("isb" ::: "memory");
#else
  __builtin_ia32_pause();
#endif
}

bool doacross_by_hand(long ops, int) {
  const std::unique_ptr<std::atomic<char>[]> done(
      new std::atomic<char>[static_cast<size_t>(ops)]());
  long next = 0;
  long wrong = 0;
#pragma omp parallel for schedule(static, 1)
  for (long k = 0; k < ops; ++k) {
    if (k > 0)
      while (done[static_cast<size_t>(k - 1)].load(std::memory_order_acquire) == 0) pause();
    wrong += next != k;
    next = k + 1;
    done[static_cast<size_t>(k)].store(1, std::memory_order_release);
  }
  return wrong == 0 && next == ops;
}

constexpr long kColumns = 256;

bool doacross_grid(long ops, int threads) {
  const long rows = ops / kColumns + 1;
  Tally tally;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
#pragma omp for ordered(2) schedule(static, 1)
    for (long i = 0; i < rows; ++i)
      for (long j = 0; j < kColumns; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        tally.add(me);
#pragma omp ordered depend(source)
      }
  }
  return tally.sum() == rows * kColumns && threads > 0;
}

bool doacross_grid_dynamic(long ops, int threads) {
  const long rows = ops / kColumns + 1;
  Tally tally;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
#pragma omp for ordered(2) schedule(dynamic, 1)
    for (long i = 0; i < rows; ++i)
      for (long j = 0; j < kColumns; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        tally.add(me);
#pragma omp ordered depend(source)
      }
  }
  return tally.sum() == rows * kColumns && threads > 0;
}

bool teams_distribute(long ops, int threads) {
  long done = 0;
  for (long i = 0; i < ops; ++i) {
#pragma omp teams distribute num_teams(1) reduction(+ : done)
    for (int k = 0; k < threads; ++k) ++done;
  }
  return done == ops * threads;
}

bool teams_distribute_parallel(long ops, int threads) {
  Tally tally;
  for (long i = 0; i < ops; ++i) {
#pragma omp teams distribute parallel for num_teams(1) num_threads(threads) shared(tally)
    for (int k = 0; k < threads; ++k) tally.add(omp_get_thread_num());
  }
  return tally.sum() == ops * threads;
}

// libomp 19 keeps no flags for a team of one, and gcc's entry points look at them.
bool crashes_alone(int threads) { return threads == 1 && by_gcc_on_libomp(); }
// For gcc's entry points libomp 19 takes no notice of a static schedule's chunk: each thread gets one
// block, so a chain of iterations runs on one thread after the other and is not what is measured here.
bool is_not_chunked(int) { return by_gcc_on_libomp(); }

constexpr Construct kFamily[] = {
    {"doacross", "doacross iteration that needs the last one, schedule(static,1)", doacross,
     is_not_chunked},
    {"doacross_chunk", "the same, schedule(static,16)", doacross_chunk, is_not_chunked},
    {"doacross_dynamic", "the same, schedule(dynamic,1)", doacross_dynamic, crashes_alone},
    {"doacross_by_hand", "schedule(static,1) with an array of flags in the program",
     doacross_by_hand},
    {"doacross_grid", "doacross iteration that needs its neighbours above and to the left",
     doacross_grid, is_not_chunked},
    {"doacross_grid_dynamic", "the same, schedule(dynamic,1)", doacross_grid_dynamic,
     crashes_alone},
    {"teams_distribute", "teams distribute, one team", teams_distribute},
    {"teams_distribute_parallel", "teams distribute parallel for, one team",
     teams_distribute_parallel},
};

}  // namespace

std::span<const Construct> doacross_family() { return kFamily; }

}  // namespace bench
