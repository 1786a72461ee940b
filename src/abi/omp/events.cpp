// events.cpp: OpenMP's routine on events of tasks. A handle is as wide as a pointer, and Fortran
// also passes it by value.
#include "abi/api.hpp"
#include "region/roots.hpp"
#include "tasking/dependences.hpp"

using namespace vicino;

VICINO_API void omp_fulfill_event(void* event) { tasking::fulfill(event, region::become_root); }
VICINO_API void omp_fulfill_event_(void* event) { tasking::fulfill(event, region::become_root); }
