// taskgraph.cpp: what LLVM's entry point for the taskgraph construct will call, with the arguments that
// its compiler's patches pass. No compiler is released that does, and they may change, so it has a name
// of ours: docs/design/graphs.md.
#include "region/taskgraph.hpp"

#include "abi/api.hpp"
#include "abi/caller.hpp"
#include "abi/kmpc/ident.hpp"

using namespace vicino;
using kmpc::Ident;

// `handle` belongs to the construct, and is null at first. `captures` has the addresses of the
// variables that the region shares; what its replayable tasks share is found there. Where the if
// clause is false, the compiled code executes the region by itself.
VICINO_API void vicino_kmpc_taskgraph(Ident*, int32_t, void** handle, uintptr_t id, int32_t reset,
                                      int32_t nogroup, void (*region)(void* captures),
                                      void* captures) {
  VICINO_WATCHED();
  region::taskgraph(region::records_at(*handle), {.id = id,
                                                  .reset = reset != 0,
                                                  .in_group = nogroup == 0,
                                                  .region = region,
                                                  .captures = captures});
}
