// versioned_symbol.hpp: one name for two functions, one per pending count.
//
// For omp_{set,get}_affinity_format, omp_display_affinity and omp_capture_affinity, LLVM's version
// node holds the Fortran signature (LLVM's C programs call ompc_*) and GCC's holds the C one. Write
// two functions with other names, in one file of src/abi, and export them as
//
//   VICINO_API void vicino_c_display_affinity(const char* format) { ... }
//   VICINO_VERSIONED(vicino_c_display_affinity, "omp_display_affinity@@OMP_5.0");
//   VICINO_API void vicino_fortran_display_affinity(const char*, size_t) { ... }
//   VICINO_VERSIONED(vicino_fortran_display_affinity, "omp_display_affinity@VERSION");
//
// The versioned symbol takes the function's visibility, which must be VICINO_API's; `remove` then
// drops the function's own name. A function has one version: clang's assembler takes no second one.
#pragma once

#define VICINO_VERSIONED(function, symbol) __asm__(".symver " #function ", " symbol ", remove")
