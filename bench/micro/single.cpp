// single.cpp: constructs whose block one thread executes: single, copyprivate, masked, sections.
#include <omp.h>

#include "construct.hpp"

namespace bench {
namespace {

bool single(long ops, int) {
  long entries = 0;
#pragma omp parallel
  for (long i = 0; i < ops; ++i) {
#pragma omp single
    ++entries;
  }
  return entries == ops;
}

// Without the barrier two singles may run at once on different threads: so a tally counts them.
bool single_nowait(long ops, int) {
  Tally tally;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (long i = 0; i < ops; ++i) {
#pragma omp single nowait
      tally.add(me);
    }
  }
  return tally.sum() == ops;
}

bool copyprivate(long ops, int) {
  long wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  {
    long value = -1;
    for (long i = 0; i < ops; ++i) {
#pragma omp single copyprivate(value)
      value = i;
      wrong += value != i;
    }
  }
  return wrong == 0;
}

bool masked(long ops, int) {
  long entries = 0;
#pragma omp parallel
  for (long i = 0; i < ops; ++i) {
#pragma omp masked
    {
      ++entries;
      keep(entries);
    }
  }
  return entries == ops;
}

bool sections(long ops, int) {
  Tally tally;
#pragma omp parallel
  {
    const int me = omp_get_thread_num();
    for (long i = 0; i < ops; ++i) {
#pragma omp sections
      {
#pragma omp section
        tally.add(me);
#pragma omp section
        tally.add(me);
      }
    }
  }
  return tally.sum() == 2 * ops;
}

constexpr Construct kFamily[] = {
    {"single", "single with its barrier", single},
    {"single_nowait", "single, nowait", single_nowait},
    {"copyprivate", "single with copyprivate of a long", copyprivate},
    {"masked", "masked", masked},
    {"sections", "sections of two, with the barrier", sections},
};

}  // namespace

std::span<const Construct> single_family() { return kFamily; }

}  // namespace bench
