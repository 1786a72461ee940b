// parallel.cpp: forking and joining a team, in the ways that programs do it.
//
// Each region asks for its thread number once, as every loop that gcc compiles does.
#include <omp.h>

#include "construct.hpp"

namespace bench {
namespace {

bool parallel(long ops, int threads) {
  Tally tally;
  for (long i = 0; i < ops; ++i) {
#pragma omp parallel
    tally.add(omp_get_thread_num());
  }
  return tally.each_is(ops, threads);
}

bool parallel_for(long ops, int threads) {
  Tally tally;
  for (long i = 0; i < ops; ++i) {
#pragma omp parallel for schedule(static)
    for (int k = 0; k < threads; ++k) tally.add(omp_get_thread_num());
  }
  return tally.each_is(ops, threads);
}

bool serialised(long ops, int) {
  Tally tally;
  for (long i = 0; i < ops; ++i) {
#pragma omp parallel num_threads(1)
    tally.add(omp_get_thread_num());
  }
  return tally.of(0) == ops && tally.sum() == ops;
}

// The condition is evaluated at run time: with a constant the compiler would drop the region.
bool if_false(long ops, int threads) {
  Tally tally;
  for (long i = 0; i < ops; ++i) {
#pragma omp parallel if (threads < 0)
    tally.add(omp_get_thread_num());
  }
  return tally.of(0) == ops && tally.sum() == ops;
}

// An inactive region inside a region: this happens when a threaded program calls a threaded
// library.
bool nested_inactive(long ops, int threads) {
  Tally tally;
  const int levels = omp_get_max_active_levels();
  omp_set_max_active_levels(1);
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (long i = 0; i < ops; ++i) {
#pragma omp parallel
      tally.add(me + omp_get_thread_num());
    }
  }
  omp_set_max_active_levels(levels);
  return tally.each_is(ops, threads);
}

constexpr Construct kFamily[] = {
    {"parallel", "region", parallel},
    {"parallel_for", "region with a static loop", parallel_for},
    {"parallel_1", "region with num_threads(1)", serialised},
    {"parallel_if", "region with a false if clause", if_false},
    {"parallel_nested", "inactive region inside a region", nested_inactive},
};

}  // namespace

std::span<const Construct> parallel_family() { return kFamily; }

}  // namespace bench
