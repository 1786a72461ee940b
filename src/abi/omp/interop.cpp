// interop.cpp: OpenMP's routines on interoperability objects.
//
// Such an object gives access to another runtime's device. Without a device every object is
// omp_interop_none, which has no property. Where a program has libomptarget, that answers
// (offload.hpp).
#include <string.h>

#include <array>

#include "abi/api.hpp"
#include "abi/omp/offload.hpp"
#include "abi/versioned_symbol.hpp"

using namespace vicino;
using abi::Offloaded;

namespace {

// omp_interop_rc_t, from success downwards.
enum ReturnCode : int { kNoValue = 1, kSuccess = 0, kEmpty = -1, kOutOfRange = -2 };
// Nothing here returns omp_irc_other, so there is nothing to say of it.
constexpr std::array<const char*, 6> kReturnCodes{"success",
                                                  "the interoperability object is omp_interop_none",
                                                  "there is no property with this number",
                                                  "the property is an integer",
                                                  "the property is a pointer",
                                                  "the property is a string"};

// omp_interop_property_t, from omp_ipr_fr_id downwards.
constexpr std::array<const char*, 9> kProperties{"fr_id",       "fr_name",        "vendor",
                                                 "vendor_name", "device_num",     "platform",
                                                 "device",      "device_context", "targetsync"};
constexpr int kFirstProperty = -1;

bool is_property(int property) {
  return property <= kFirstProperty &&
         property > kFirstProperty - static_cast<int>(kProperties.size());
}

// The answer of the routines that ask omp_interop_none for a property.
template <class Value>
Value none(int property, int* code) {
  if (code != nullptr) *code = is_property(property) ? kEmpty : kOutOfRange;
  return Value{};
}

const char* property_name(int property) {
  return is_property(property) ? kProperties[static_cast<size_t>(kFirstProperty - property)]
                               : nullptr;
}

const char* meaning(int code) {
  if (code == kNoValue) return "the property has no value";
  const auto at = static_cast<size_t>(-static_cast<int64_t>(code));
  return code <= kSuccess && at < kReturnCodes.size() ? kReturnCodes[at] : nullptr;
}

}  // namespace

// Besides the properties that OpenMP lists there are none.
VICINO_API int omp_get_num_interop_properties(const void*) { return 0; }
VICINO_API intptr_t omp_get_interop_int(const void* object, int property, int* code) {
  static constinit Offloaded<decltype(omp_get_interop_int)> other("omp_get_interop_int");
  return other ? other(object, property, code) : none<intptr_t>(property, code);
}
VICINO_API void* omp_get_interop_ptr(const void* object, int property, int* code) {
  static constinit Offloaded<decltype(omp_get_interop_ptr)> other("omp_get_interop_ptr");
  return other ? other(object, property, code) : none<void*>(property, code);
}
VICINO_API const char* omp_get_interop_str(const void* object, int property, int* code) {
  static constinit Offloaded<decltype(omp_get_interop_str)> other("omp_get_interop_str");
  return other ? other(object, property, code) : none<const char*>(property, code);
}
VICINO_API const char* omp_get_interop_name(const void*, int property) {
  return property_name(property);
}
VICINO_API const char* omp_get_interop_type_desc(const void* object, int property) {
  static constinit Offloaded<decltype(omp_get_interop_type_desc)> other(
      "omp_get_interop_type_desc");
  return other ? other(object, property) : nullptr;
}
VICINO_API const char* omp_get_interop_rc_desc(const void*, int code) { return meaning(code); }

// Fortran's names. LLVM's node has the same functions under them, though its Fortran has no such
// routines; those whose arguments fit gfortran as well serve it, too.
#define VICINO_SAME(name) __attribute__((alias(#name)))
VICINO_API int omp_get_num_interop_properties_(const void*)
    VICINO_SAME(omp_get_num_interop_properties);
VICINO_API intptr_t omp_get_interop_int_(const void*, int, int*) VICINO_SAME(omp_get_interop_int);
VICINO_API void* omp_get_interop_ptr_(const void*, int, int*) VICINO_SAME(omp_get_interop_ptr);

// By these names Intel's compilers call the same functions.
VICINO_API void* __kmpc_get_interop_ptr(const void*, int, int*) VICINO_SAME(omp_get_interop_ptr);
VICINO_API const char* __kmpc_get_interop_str(const void*, int, int*)
    VICINO_SAME(omp_get_interop_str);
VICINO_API const char* __kmpc_get_interop_name(const void*, int) VICINO_SAME(omp_get_interop_name);
VICINO_API const char* __kmpc_get_interop_type_desc(const void*, int)
    VICINO_SAME(omp_get_interop_type_desc);
VICINO_API const char* __kmpc_get_interop_rc_desc(const void*, int)
    VICINO_SAME(omp_get_interop_rc_desc);

// gfortran's functions give a pointer to a character variable: the text and its length come back
// through the first two arguments, and the others are passed by value.
static void give(const char* found, const char** text, size_t* length) {
  *text = found;
  *length = found == nullptr ? 0 : strlen(found);
}
#define VICINO_TEXT(name, parameters, arguments)                                  \
  VICINO_API const char* vicino_llvm_##name parameters { return name arguments; } \
  VICINO_VERSIONED(vicino_llvm_##name, #name "_@VERSION");                        \
  VICINO_API void vicino_gfortran_##name(const char** text, size_t* length,       \
                                         VICINO_BARE parameters) {                \
    give(name arguments, text, length);                                           \
  }                                                                               \
  VICINO_VERSIONED(vicino_gfortran_##name, #name "_@@GOMP_5.1.3")
#define VICINO_BARE(...) __VA_ARGS__
VICINO_TEXT(omp_get_interop_str, (const void* object, int property, int* code),
            (object, property, code));
VICINO_TEXT(omp_get_interop_name, (const void* object, int property), (object, property));
VICINO_TEXT(omp_get_interop_type_desc, (const void* object, int property), (object, property));
VICINO_TEXT(omp_get_interop_rc_desc, (const void* object, int code), (object, code));
