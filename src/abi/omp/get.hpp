// get.hpp: macros that define routines of OpenMP and their Fortran twins.
#pragma once

#include <algorithm>
#include <climits>
#include <cstdint>

#include "abi/api.hpp"

// Without arguments.
#define VICINO_GET(type, name, value)        \
  VICINO_API type name() { return (value); } \
  VICINO_API type name##_() { return (value); }

// With an integer argument: C and Fortran. The file defines the function `name`.
#define VICINO_SET(name, type)                                                         \
  VICINO_API void omp_##name(int value) { name(static_cast<type>(value)); }            \
  VICINO_API void omp_##name##_(const int* value) { name(static_cast<type>(*value)); } \
  VICINO_API void omp_##name##_8_(const int64_t* value) {                              \
    constexpr int64_t kMost = INT_MAX, kLeast = INT_MIN;                               \
    name(static_cast<type>(std::clamp(*value, kLeast, kMost)));                        \
  }
// The same, and LLVM's other name for C.
#define VICINO_SET_AND_OMPC(name, type)                                      \
  VICINO_API void ompc_##name(int value) { name(static_cast<type>(value)); } \
  VICINO_SET(name, type)
