// intel.cpp: what only the library of Intel's compilers exports, besides atomic constructs
// (atomics.cpp) and ends of constructs.
#include <cstddef>
#include <cstdint>

#include "abi/api.hpp"
#include "plat/plat.hpp"

using namespace vicino;

VICINO_API uint64_t __kmpc_get_timestamp() { return plat::now(); }

// The program lets several processes take turns with their cores, where KMP_COMPOSABILITY asks for
// that. VICINO_LEND is Vicino's way, and needs no call.
VICINO_API void kmp_compose_init() {}

// Memory that a target region shares in its group of threads: none on the host.
VICINO_API void* ompx_get_dyn_cgroup_mem() { return nullptr; }

// Fortran's names, with the arguments of C.
VICINO_API int omp_target_memcpy_async(void* to, const void* from, size_t length, size_t to_offset,
                                       size_t from_offset, int to_device, int from_device,
                                       int count, void** objects);
VICINO_API int omp_target_memcpy_async_(void* to, const void* from, size_t length, size_t to_offset,
                                        size_t from_offset, int to_device, int from_device,
                                        int count, void** objects) {
  return omp_target_memcpy_async(to, from, length, to_offset, from_offset, to_device, from_device,
                                 count, objects);
}
VICINO_API int omp_target_memcpy_rect_async(void* to, const void* from, size_t element,
                                            int dimensions, const size_t* volume,
                                            const size_t* to_offsets, const size_t* from_offsets,
                                            const size_t* to_sizes, const size_t* from_sizes,
                                            int to_device, int from_device, int count,
                                            void** objects);
VICINO_API int omp_target_memcpy_rect_async_(void* to, const void* from, size_t element,
                                             int dimensions, const size_t* volume,
                                             const size_t* to_offsets, const size_t* from_offsets,
                                             const size_t* to_sizes, const size_t* from_sizes,
                                             int to_device, int from_device, int count,
                                             void** objects) {
  return omp_target_memcpy_rect_async(to, from, element, dimensions, volume, to_offsets,
                                      from_offsets, to_sizes, from_sizes, to_device, from_device,
                                      count, objects);
}

// Intel's Fortran compiler makes such a function for each module; these two belong to OpenMP's.
VICINO_API void vicino_module_omp_lib() __asm__("omp_lib._");
VICINO_API void vicino_module_omp_lib() {}
VICINO_API void vicino_module_omp_lib_kinds() __asm__("omp_lib_kinds._");
VICINO_API void vicino_module_omp_lib_kinds() {}
