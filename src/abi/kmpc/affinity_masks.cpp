// affinity_masks.cpp: LLVM's affinity API: masks that a program makes, fills with CPUs and applies
// to the calling thread. Libraries look for these names at run time (Intel's extension for PyTorch,
// oneTBB).
//
// A mask is a CpuSet behind a pointer; programs only hand it back. CPUs have the kernel's numbers.
// As in libomp, 0 means success, -1 that a number or a mask is invalid, -2 that the process may not
// use the CPU, or that KMP_HW_SUBSET leaves it out.
#include <sched.h>

#include "abi/api.hpp"
#include "abi/omp/get.hpp"
#include "config/settings.hpp"
#include "team/places.hpp"
#include "team/worker.hpp"
#include "topo/allowance.hpp"
#include "topo/process_mask.hpp"

using namespace vicino;

namespace {

using Mask = void*;

CpuSet* set_of(Mask* mask) { return mask == nullptr ? nullptr : static_cast<CpuSet*>(*mask); }

int max_cpu() { return topo::process_mask().last() + 1; }

// What masks may have. A rank's thread may be bound outside of the share, for the launcher allows
// that.
const CpuSet& usable() {
  config::settings();  // read now, for they may leave the process a part of its CPUs
  const topo::Allowance& allowed = topo::allowance();
  return allowed.is_subset ? allowed.cpus : topo::process_mask();
}

// The error code for `cpu` as a member of a mask; 0 if it is allowed.
int refusal(int cpu, Mask* mask) {
  if (set_of(mask) == nullptr || cpu < 0 || cpu >= max_cpu()) return -1;
  return usable().test(cpu) ? 0 : -2;
}

int add_cpu(int cpu, Mask* mask) {
  const int refused = refusal(cpu, mask);
  if (refused == 0) set_of(mask)->set(cpu);
  return refused;
}
int remove_cpu(int cpu, Mask* mask) {
  const int refused = refusal(cpu, mask);
  if (refused == 0) set_of(mask)->clear(cpu);
  return refused;
}
int has_cpu(int cpu, Mask* mask) {
  const int refused = refusal(cpu, mask);
  return refused == -1 ? -1 : static_cast<int>(refused == 0 && set_of(mask)->test(cpu));
}

int run_on(Mask* mask) {
  const CpuSet* cpus = set_of(mask);
  if (cpus == nullptr || cpus->empty() || !usable().contains(*cpus)) return -1;
  return team::run_on(*cpus) ? 0 : -1;
}
int read_mask(Mask* mask) {
  if (set_of(mask) == nullptr) return -1;
  *set_of(mask) = topo::mask_of_thread(0);
  return 0;
}

void make_mask(Mask* mask) { *mask = new CpuSet; }
void destroy_mask(Mask* mask) {
  delete set_of(mask);
  if (mask != nullptr) *mask = nullptr;
}

}  // namespace

VICINO_API void kmp_create_affinity_mask(Mask* mask) { make_mask(mask); }
VICINO_API void kmp_create_affinity_mask_(Mask* mask) { make_mask(mask); }
VICINO_API void kmp_destroy_affinity_mask(Mask* mask) { destroy_mask(mask); }
VICINO_API void kmp_destroy_affinity_mask_(Mask* mask) { destroy_mask(mask); }

VICINO_API int kmp_get_affinity_max_proc() { return max_cpu(); }
VICINO_API int kmp_get_affinity_max_proc_() { return max_cpu(); }

VICINO_API int kmp_set_affinity_mask_proc(int cpu, Mask* mask) { return add_cpu(cpu, mask); }
VICINO_API int kmpc_set_affinity_mask_proc(int cpu, Mask* mask) { return add_cpu(cpu, mask); }
VICINO_API int kmp_set_affinity_mask_proc_(int* cpu, Mask* mask) { return add_cpu(*cpu, mask); }
VICINO_API int kmp_unset_affinity_mask_proc(int cpu, Mask* mask) { return remove_cpu(cpu, mask); }
VICINO_API int kmpc_unset_affinity_mask_proc(int cpu, Mask* mask) { return remove_cpu(cpu, mask); }
VICINO_API int kmp_unset_affinity_mask_proc_(int* cpu, Mask* mask) {
  return remove_cpu(*cpu, mask);
}
VICINO_API int kmp_get_affinity_mask_proc(int cpu, Mask* mask) { return has_cpu(cpu, mask); }
VICINO_API int kmpc_get_affinity_mask_proc(int cpu, Mask* mask) { return has_cpu(cpu, mask); }
VICINO_API int kmp_get_affinity_mask_proc_(int* cpu, Mask* mask) { return has_cpu(*cpu, mask); }

// flang's names for integer(8): see VICINO_INTEGER8.
#define VICINO_CPU8(name, function)                                \
  VICINO_API int kmp_##name##_8(int64_t cpu, Mask* mask) {         \
    return function(abi::saturated(cpu), mask);                    \
  }                                                                \
  VICINO_API int kmp_##name##_8_(const int64_t* cpu, Mask* mask) { \
    return function(abi::saturated(*cpu), mask);                   \
  }
VICINO_CPU8(set_affinity_mask_proc, add_cpu)
VICINO_CPU8(unset_affinity_mask_proc, remove_cpu)
VICINO_CPU8(get_affinity_mask_proc, has_cpu)

VICINO_API int kmp_set_affinity(Mask* mask) { return run_on(mask); }
VICINO_API int kmp_set_affinity_(Mask* mask) { return run_on(mask); }
VICINO_API int kmp_get_affinity(Mask* mask) { return read_mask(mask); }
VICINO_API int kmp_get_affinity_(Mask* mask) { return read_mask(mask); }

// The calling thread may run on every CPU of the process again, or of this rank's share. A thread
// that OpenMP does not know was never bound by it, and keeps its mask.
VICINO_API int kmp_set_thread_affinity_mask_initial() {
  if (team::self == nullptr) return -1;
  return team::run_on(topo::allowance().cpus) ? 0 : -1;
}
