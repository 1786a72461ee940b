// uid.cpp: OpenMP 6.0's routines on the unique identifiers of devices. The host is the only device. Its number is
// omp_initial_device for libgomp, and that of omp_get_initial_device() for libomp.
#include <string.h>

#include "abi/api.hpp"
#include "abi/omp/offload.hpp"
#include "abi/omp/target_memory.hpp"
#include "abi/versioned_symbol.hpp"

using namespace vicino;
using abi::Offloaded;

namespace {

constexpr const char* kHostUid = "OMP_INITIAL_DEVICE";
constexpr int kInvalidOfLlvm = -2;  // omp_invalid_device, as LLVM has it

constinit Offloaded<const char*(int)> offloaded_uid("omp_get_uid_from_device");
constinit Offloaded<int(const char*)> offloaded_device("omp_get_device_from_uid");

// Null if there is no such device.
const char* uid_of(int device) {
  if (offloaded_uid) return offloaded_uid(device);
  return abi::is_initial_device(device) ? kHostUid : nullptr;
}

bool is_host(const char* uid, size_t length) {
  return length == strlen(kHostUid) && memcmp(uid, kHostUid, length) == 0;
}
bool is_host(const char* uid) { return uid != nullptr && is_host(uid, strlen(uid)); }

int device_for_llvm(const char* uid) {
  if (offloaded_device) return offloaded_device(uid);
  return is_host(uid) ? abi::initial_device() : kInvalidOfLlvm;
}

}  // namespace

VICINO_API const char* omp_get_uid_from_device(int device) { return uid_of(device); }
VICINO_API const char* __kmpc_get_uid_from_device(int device) { return uid_of(device); }  // Intel's

VICINO_API int vicino_gcc_device_from_uid(const char* uid) {
  return is_host(uid) ? region::kInitialDevice : region::kInvalidDevice;
}
VICINO_VERSIONED(vicino_gcc_device_from_uid, "omp_get_device_from_uid@@GOMP_6.0");
VICINO_API int vicino_llvm_device_from_uid(const char* uid) { return device_for_llvm(uid); }
VICINO_VERSIONED(vicino_llvm_device_from_uid, "omp_get_device_from_uid@VERSION");
VICINO_API int vicino_llvm_device_from_uid_6(const char* uid) { return device_for_llvm(uid); }
VICINO_VERSIONED(vicino_llvm_device_from_uid_6, "omp_get_device_from_uid@OMP_6.0");

// Fortran's. gfortran's take a character variable with its length, and give a pointer to one
// through the first two arguments; LLVM's are the same functions as C's.
VICINO_API void omp_get_uid_from_device_8_(const char** uid, size_t* length, int device) {
  *uid = uid_of(device);
  *length = *uid == nullptr ? 0 : strlen(*uid);
}
VICINO_API void vicino_gfortran_uid_from_device(const char** uid, size_t* length, int device) {
  omp_get_uid_from_device_8_(uid, length, device);
}
VICINO_VERSIONED(vicino_gfortran_uid_from_device, "omp_get_uid_from_device_@@GOMP_6.0");
VICINO_API const char* vicino_flang_uid_from_device(int device) { return uid_of(device); }
VICINO_VERSIONED(vicino_flang_uid_from_device, "omp_get_uid_from_device_@VERSION");
VICINO_API const char* vicino_flang_uid_from_device_6(int device) { return uid_of(device); }
VICINO_VERSIONED(vicino_flang_uid_from_device_6, "omp_get_uid_from_device_@OMP_6.0");
VICINO_API int vicino_gfortran_device_from_uid(const char* uid, size_t length) {
  return is_host(uid, length) ? region::kInitialDevice : region::kInvalidDevice;
}
VICINO_VERSIONED(vicino_gfortran_device_from_uid, "omp_get_device_from_uid_@@GOMP_6.0");
VICINO_API int vicino_flang_device_from_uid(const char* uid) { return device_for_llvm(uid); }
VICINO_VERSIONED(vicino_flang_device_from_uid, "omp_get_device_from_uid_@VERSION");
VICINO_API int vicino_flang_device_from_uid_6(const char* uid) { return device_for_llvm(uid); }
VICINO_VERSIONED(vicino_flang_device_from_uid_6, "omp_get_device_from_uid_@OMP_6.0");
