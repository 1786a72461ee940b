// events.cpp: OpenMP's routine on events of tasks. A handle is as wide as a pointer, and Fortran
// passes it by value, too.
#include "abi/api.hpp"
#include "team/dependences.hpp"

using namespace vicino;

VICINO_API void omp_fulfill_event(void* event) { team::fulfill(event); }
VICINO_API void omp_fulfill_event_(void* event) { team::fulfill(event); }
