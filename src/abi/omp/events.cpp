// events.cpp: OpenMP's routine on events of tasks. A handle is as wide as a pointer, and Fortran
// also passes it by value.
#include "abi/api.hpp"
#include "region/roots.hpp"
#include "tasking/dependences.hpp"
#include "tasking/left.hpp"

using namespace vicino;

namespace {

void fulfill(void* event) {
  tasking::fulfill(event, region::become_root);
  tasking::run_ready_outside_regions();
}

}  // namespace

VICINO_API void omp_fulfill_event(void* event) { fulfill(event); }
VICINO_API void omp_fulfill_event_(void* event) { fulfill(event); }
