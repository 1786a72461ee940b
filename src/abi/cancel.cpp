// cancel.cpp: cancellation, of both ABIs, while it is off: nothing is ever cancelled, which is what
// OMP_CANCELLATION=false, the default, asks for. With it on, these are not implemented yet.
#include "abi/api.hpp"
#include "team/fork.hpp"

using namespace vicino;

extern "C" [[noreturn]] void vicino_unimplemented(const char* name);

namespace {

// The answer to "is this construct cancelled?".
bool not_cancelled(const char* name) {
  if (team::me().icvs->cancellation) vicino_unimplemented(name);
  return false;
}

bool barrier_not_cancelled(const char* name) {
  team::barrier(team::me());
  return not_cancelled(name);
}

}  // namespace

VICINO_API int __kmpc_cancel(void*, int, int) { return not_cancelled("__kmpc_cancel"); }
VICINO_API int __kmpc_cancellationpoint(void*, int, int) {
  return not_cancelled("__kmpc_cancellationpoint");
}
VICINO_API int __kmpc_cancel_barrier(void*, int) {
  return barrier_not_cancelled("__kmpc_cancel_barrier");
}
VICINO_API bool GOMP_cancel(int, bool) { return not_cancelled("GOMP_cancel"); }
VICINO_API bool GOMP_cancellation_point(int) { return not_cancelled("GOMP_cancellation_point"); }
VICINO_API bool GOMP_barrier_cancel() { return barrier_not_cancelled("GOMP_barrier_cancel"); }
VICINO_API bool GOMP_loop_end_cancel() { return barrier_not_cancelled("GOMP_loop_end_cancel"); }
VICINO_API bool GOMP_sections_end_cancel() {
  return barrier_not_cancelled("GOMP_sections_end_cancel");
}
