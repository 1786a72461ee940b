// ordered.cpp: ordered regions, one in each iteration, handed from thread to thread.
#include <omp.h>

#include "construct.hpp"

namespace bench {
namespace {

bool ordered_static(long ops, int) {
  long next = 0;
  long wrong = 0;
#pragma omp parallel for ordered schedule(static, 1)
  for (long k = 0; k < ops; ++k) {
#pragma omp ordered
    {
      wrong += next != k;
      next = k + 1;
    }
  }
  return wrong == 0 && next == ops;
}

bool ordered_dynamic(long ops, int) {
  long next = 0;
  long wrong = 0;
#pragma omp parallel for ordered schedule(dynamic, 1)
  for (long k = 0; k < ops; ++k) {
#pragma omp ordered
    {
      wrong += next != k;
      next = k + 1;
    }
  }
  return wrong == 0 && next == ops;
}

constexpr Construct kFamily[] = {
    {"ordered", "ordered iteration, schedule(static,1)", ordered_static},
    {"ordered_dynamic", "ordered iteration, schedule(dynamic,1)", ordered_dynamic},
};

}  // namespace

std::span<const Construct> ordered_family() { return kFamily; }

}  // namespace bench
