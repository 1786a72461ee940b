// target.cpp: what LLVM's compilers and libomptarget ask of the host's runtime for target constructs.
//
// clang compiles a program without offloading so that its target regions are part of the code around
// them; only a deferred one is a task. With offloading, and flang always, the code calls libomptarget
// (__tgt_*), which runs regions on devices or calls them on the host. Vicino does not export __tgt_*:
// the OpenMP runtime is searched before libomptarget, so its definitions would take every region away
// from the devices.
#include "region/target.hpp"

#include "abi/api.hpp"
#include "abi/kmpc/ident.hpp"
#include "abi/kmpc/task.hpp"

using namespace vicino;
using kmpc::Ident;
using kmpc::KmpTask;

VICINO_API KmpTask* __kmpc_omp_task_alloc(Ident* where, int32_t gtid, int32_t flags,
                                          size_t task_size, size_t shareds_size,
                                          int32_t (*routine)(int32_t, KmpTask*));

// A target task is generated and ordered as any other. libomp has helper threads for these tasks, so
// that they go on outside of parallel regions; OpenMP does not ask for that.
VICINO_API KmpTask* __kmpc_omp_target_task_alloc(Ident* where, int32_t gtid, int32_t flags,
                                                 size_t task_size, size_t shareds_size,
                                                 int32_t (*routine)(int32_t, KmpTask*), int64_t) {
  return __kmpc_omp_task_alloc(where, gtid, flags, task_size, shareds_size, routine);
}

// libomptarget could leave a target task before its device has finished, if the runtime ran the task
// again to look whether it has. Vicino says that it does not: the task waits for its device.
VICINO_API int32_t __kmpc_omp_has_task_team(int32_t) { return 0; }
VICINO_API void** __kmpc_omp_get_target_async_handle_ptr(int32_t) { return nullptr; }

VICINO_API int __kmpc_get_target_offload() {
  using config::TargetOffload;
  switch (region::target_offload()) {
    case TargetOffload::kDisabled:
      return 0;
    case TargetOffload::kDefault:
      return 1;
    case TargetOffload::kMandatory:
      return 2;
  }
  __builtin_unreachable();
}
