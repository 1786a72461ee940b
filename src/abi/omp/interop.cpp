// interop.cpp: OpenMP's routines on interoperability objects.
//
// Such an object gives access to another runtime's device. Without a device every object is
// omp_interop_none, which has no property. Where a program has libomptarget, that answers
// (offload.hpp).
#include <array>

#include "abi/api.hpp"
#include "abi/omp/offload.hpp"

using namespace vicino;
using abi::Offloaded;

namespace {

// omp_interop_rc_t, from success downwards.
enum ReturnCode : int { kNoValue = 1, kSuccess = 0, kEmpty = -1, kOutOfRange = -2 };
constexpr std::array<const char*, 7> kReturnCodes{"success",
                                                  "the interoperability object is omp_interop_none",
                                                  "there is no property with this number",
                                                  "the property is an integer",
                                                  "the property is a pointer",
                                                  "the property is a string",
                                                  "unknown error"};

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

// libomp exports the same functions under Fortran's names, though Fortran has no such routines.
#define VICINO_SAME(name) __attribute__((alias(#name)))
VICINO_API int omp_get_num_interop_properties_(const void*)
    VICINO_SAME(omp_get_num_interop_properties);
VICINO_API intptr_t omp_get_interop_int_(const void*, int, int*) VICINO_SAME(omp_get_interop_int);
VICINO_API void* omp_get_interop_ptr_(const void*, int, int*) VICINO_SAME(omp_get_interop_ptr);
VICINO_API const char* omp_get_interop_str_(const void*, int, int*)
    VICINO_SAME(omp_get_interop_str);
VICINO_API const char* omp_get_interop_name_(const void*, int) VICINO_SAME(omp_get_interop_name);
VICINO_API const char* omp_get_interop_type_desc_(const void*, int)
    VICINO_SAME(omp_get_interop_type_desc);
VICINO_API const char* omp_get_interop_rc_desc_(const void*, int)
    VICINO_SAME(omp_get_interop_rc_desc);
