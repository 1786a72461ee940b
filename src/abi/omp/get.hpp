// get.hpp: macros that define routines of OpenMP and their Fortran twins.
#pragma once

#include <algorithm>
#include <climits>
#include <cstdint>

#include "abi/api.hpp"

namespace vicino::abi {

// Fortran's integer(8) as the int of the routine: a value outside its range is as the nearest one
// in it.
constexpr int saturated(int64_t value) noexcept {
  return static_cast<int>(std::clamp<int64_t>(value, INT_MIN, INT_MAX));
}

}  // namespace vicino::abi

// Without arguments.
#define VICINO_GET(type, name, value)        \
  VICINO_API type name() { return (value); } \
  VICINO_API type name##_() { return (value); }

// With an integer argument: C and Fortran. The file defines the function `name`.
#define VICINO_SET(name, type)                                                         \
  VICINO_API void omp_##name(int value) { name(static_cast<type>(value)); }            \
  VICINO_API void omp_##name##_(const int* value) { name(static_cast<type>(*value)); } \
  VICINO_API void omp_##name##_8_(const int64_t* value) {                              \
    name(static_cast<type>(vicino::abi::saturated(*value)));                           \
  }
// The same, and LLVM's other name for C.
#define VICINO_SET_AND_OMPC(name, type)                                      \
  VICINO_API void ompc_##name(int value) { name(static_cast<type>(value)); } \
  VICINO_SET(name, type)

// flang's names, from LLVM 24 on, for a routine whose argument is integer(8): kmp_x_8 takes it by
// value, kmp_x_8_ by reference. `function` takes it as int.
#define VICINO_INTEGER8(type, name, function)       \
  VICINO_API type kmp_##name##_8(int64_t value) {   \
    return function(vicino::abi::saturated(value)); \
  }                                                 \
  VICINO_API type kmp_##name##_8_(const int64_t* value) { return kmp_##name##_8(*value); }
