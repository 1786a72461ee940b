// memspaces.cpp: OpenMP 6.0's routines on memory spaces and allocators of devices, which LLVM's
// runtime has.
//
// The host is the only device. A memory space of the host, and of no other device, is the one that
// was asked for, and its memory is one resource.
#include <algorithm>
#include <span>

#include "abi/api.hpp"
#include "abi/omp/memory.hpp"
#include "abi/omp/target_memory.hpp"

using namespace vicino;
using memory::Handle;

namespace {

constexpr uintptr_t kNullSpace = 0;  // LLVM's omp_null_mem_space

bool is_space(uintptr_t space) { return space != kNullSpace && abi::is_space(space); }

// Whether these devices are the host; no devices stand for all that there are.
bool are_host(int count, const int* devices) {
  if (count < 0 || (count > 0 && devices == nullptr)) return false;
  return std::ranges::all_of(std::span(devices, static_cast<size_t>(count)),
                             abi::is_initial_device);
}

// `host`: the memory is to be the host's as well.
uintptr_t space_of(int count, const int* devices, uintptr_t space, bool host) {
  const bool found = is_space(space) && are_host(count, devices) && (host || count > 0);
  return found ? space : kNullSpace;
}
Handle allocator_of(int count, const int* devices, uintptr_t space, bool host) {
  const bool found = space_of(count, devices, space, host) != kNullSpace;
  return found ? abi::predefined_allocator(space) : memory::kNullHandle;
}

int resources_of(uintptr_t space) { return is_space(space) ? 1 : 0; }
// The part of a memory space that these resources are; the only one has the number 0.
uintptr_t part_of(uintptr_t space, int count, const int* resources) {
  const bool whole = is_space(space) && count == 1 && resources != nullptr && *resources == 0;
  return whole ? space : kNullSpace;
}

}  // namespace

// Memory of devices, of one device, of these and the host, and of all devices and the host; in C
// and in Fortran.
#define VICINO_OF_DEVICES(type, kind, find)                                                      \
  VICINO_API type omp_get_devices_##kind(int count, const int* devices, uintptr_t space) {       \
    return find(count, devices, space, false);                                                   \
  }                                                                                              \
  VICINO_API type omp_get_devices_##kind##_(const int* count, const int* devices,                \
                                            const uintptr_t* space) {                            \
    return find(*count, devices, *space, false);                                                 \
  }                                                                                              \
  VICINO_API type omp_get_device_##kind(int device, uintptr_t space) {                           \
    return find(1, &device, space, false);                                                       \
  }                                                                                              \
  VICINO_API type omp_get_device_##kind##_(const int* device, const uintptr_t* space) {          \
    return find(1, device, *space, false);                                                       \
  }                                                                                              \
  VICINO_API type omp_get_devices_and_host_##kind(int count, const int* devices,                 \
                                                  uintptr_t space) {                             \
    return find(count, devices, space, true);                                                    \
  }                                                                                              \
  VICINO_API type omp_get_devices_and_host_##kind##_(const int* count, const int* devices,       \
                                                     const uintptr_t* space) {                   \
    return find(*count, devices, *space, true);                                                  \
  }                                                                                              \
  VICINO_API type omp_get_device_and_host_##kind(int device, uintptr_t space) {                  \
    return find(1, &device, space, true);                                                        \
  }                                                                                              \
  VICINO_API type omp_get_device_and_host_##kind##_(const int* device, const uintptr_t* space) { \
    return find(1, device, *space, true);                                                        \
  }                                                                                              \
  VICINO_API type omp_get_devices_all_##kind(uintptr_t space) {                                  \
    return find(0, nullptr, space, true);                                                        \
  }                                                                                              \
  VICINO_API type omp_get_devices_all_##kind##_(const uintptr_t* space) {                        \
    return find(0, nullptr, *space, true);                                                       \
  }
VICINO_OF_DEVICES(uintptr_t, memspace, space_of)
VICINO_OF_DEVICES(Handle, allocator, allocator_of)

VICINO_API int omp_get_memspace_num_resources(uintptr_t space) { return resources_of(space); }
VICINO_API int omp_get_memspace_num_resources_(const uintptr_t* space) {
  return resources_of(*space);
}
VICINO_API uintptr_t omp_get_submemspace(uintptr_t space, int count, const int* resources) {
  return part_of(space, count, resources);
}
VICINO_API uintptr_t omp_get_submemspace_(const uintptr_t* space, const int* count,
                                          const int* resources) {
  return part_of(*space, *count, resources);
}

// A device's memory for the groups of a kernel (dyn_groupprivate). The host has none.
VICINO_API void* omp_get_dyn_gprivate_ptr(size_t, int) { return nullptr; }
VICINO_API void* omp_get_dyn_gprivate_nofb_ptr(size_t, int) { return nullptr; }
VICINO_API size_t omp_get_dyn_gprivate_size(int) { return 0; }
VICINO_API uintptr_t omp_get_dyn_gprivate_memspace(int) { return kNullSpace; }
