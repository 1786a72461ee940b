// affinity.cpp: OpenMP's routines on the affinity format, for C and for Fortran.
//
// Each name has two functions. LLVM's version node has the Fortran one, whose strings are padded
// with blanks and have their lengths at the end of the argument list; GCC's node has the C one. See
// versioned_symbol.hpp.
#include "region/affinity.hpp"

#include <string.h>

#include <algorithm>

#include "abi/api.hpp"
#include "abi/versioned_symbol.hpp"
#include "region/roots.hpp"
#include "team/worker.hpp"

using namespace vicino;

namespace {

// Writes into a C buffer, cut to fit and terminated; returns the length that would have been
// needed.
size_t give(const std::string& text, char* buffer, size_t size) {
  if (buffer != nullptr && size > 0) {
    const size_t length = std::min(text.size(), size - 1);
    memcpy(buffer, text.data(), length);
    buffer[length] = '\0';
  }
  return text.size();
}

// Writes into a Fortran variable, cut or padded to fit.
size_t give_padded(const std::string& text, char* buffer, size_t size) {
  const size_t length = std::min(text.size(), size);
  memcpy(buffer, text.data(), length);
  memset(buffer + length, ' ', size - length);
  return text.size();
}

std::string_view view(const char* text) { return text == nullptr ? "" : text; }

}  // namespace

// C: under the version OMP_5.0, and under LLVM's own names.
#define VICINO_C(type, name, parameters, body)                                                 \
  VICINO_API type vicino_c_##name parameters{body} VICINO_VERSIONED(vicino_c_##name,           \
                                                                    "omp_" #name "@@OMP_5.0"); \
  VICINO_API type ompc_##name parameters { body }

VICINO_C(void, set_affinity_format, (const char* format),
         region::set_affinity_format(view(format));)
VICINO_C(size_t, get_affinity_format, (char* buffer, size_t size),
         return give(region::affinity_format(), buffer, size);)
VICINO_C(void, display_affinity, (const char* format),
         region::display_affinity(region::me(), view(format));)
VICINO_C(size_t, capture_affinity, (char* buffer, size_t size, const char* format),
         return give(region::describe_affinity(region::me(), view(format)), buffer, size);)

// Fortran: under the version VERSION, and with gfortran's underscore.
#define VICINO_FORTRAN(type, name, parameters, body)                       \
  VICINO_API type vicino_fortran_##name parameters{body} VICINO_VERSIONED( \
      vicino_fortran_##name, "omp_" #name "@VERSION");                     \
  VICINO_API type omp_##name##_ parameters { body }

VICINO_FORTRAN(void, set_affinity_format, (const char* format, size_t length),
               region::set_affinity_format({format, length});)
VICINO_FORTRAN(size_t, get_affinity_format, (char* buffer, size_t size),
               return give_padded(region::affinity_format(), buffer, size);)
VICINO_FORTRAN(void, display_affinity, (const char* format, size_t length),
               region::display_affinity(region::me(), {format, length});)
VICINO_FORTRAN(size_t, capture_affinity,
               (char* buffer, const char* format, size_t size, size_t length),
               return give_padded(region::describe_affinity(region::me(), {format, length}), buffer,
                                  size);)
