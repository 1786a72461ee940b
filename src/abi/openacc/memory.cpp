// memory.cpp: OpenACC's routines on data. The host's memory is the device's: all data are present,
// each address is its own counterpart, and nothing has to be copied.
#include <stdlib.h>
#include <string.h>

#include <cstdint>

#include "abi/api.hpp"
#include "base/say.hpp"

using namespace vicino;

namespace {

int is_present(const void* address) { return address != nullptr; }

// A device's memory is the host's, so the two may be the same, or overlap.
void copy(void* to, const void* from, size_t bytes) {
  if (to != from && bytes > 0) memmove(to, from, bytes);
}

void* address_of_data(const char* routine, void* address, size_t bytes) {
  if (address == nullptr || bytes == 0)
    give_up("%s: %zu bytes at %p are no data: an address and a positive size are needed", routine,
            bytes, address);
  return address;
}

}  // namespace

VICINO_API void* acc_malloc(size_t bytes) { return bytes == 0 ? nullptr : malloc(bytes); }
VICINO_API void acc_free(void* memory) { free(memory); }
VICINO_API void* acc_deviceptr(void* address) { return address; }
VICINO_API void* acc_hostptr(void* address) { return address; }
VICINO_API int acc_is_present(void* address, size_t) { return is_present(address); }
VICINO_API void acc_map_data(void* host, void* device, size_t) {
  if (host != device)
    give_up("acc_map_data: %p cannot stand for %p, for the device is the host", device, host);
}
VICINO_API void acc_unmap_data(void*) {}
VICINO_API void acc_memcpy_to_device(void* device, void* host, size_t bytes) {
  copy(device, host, bytes);
}
VICINO_API void acc_memcpy_to_device_async(void* device, void* host, size_t bytes, int) {
  copy(device, host, bytes);
}
VICINO_API void acc_memcpy_from_device(void* host, void* device, size_t bytes) {
  copy(host, device, bytes);
}
VICINO_API void acc_memcpy_from_device_async(void* host, void* device, size_t bytes, int) {
  copy(host, device, bytes);
}
VICINO_API void acc_memcpy_device(void* to, void* from, size_t bytes) { copy(to, from, bytes); }
VICINO_API void acc_memcpy_device_async(void* to, void* from, size_t bytes, int) {
  copy(to, from, bytes);
}

// Routines that give the device's address of data, in C.
#define VICINO_ADDRESS(name)                           \
  VICINO_API void* name(void* address, size_t bytes) { \
    return address_of_data(#name, address, bytes);     \
  }
VICINO_ADDRESS(acc_copyin)
VICINO_ADDRESS(acc_create)
VICINO_ADDRESS(acc_present_or_copyin)
VICINO_ADDRESS(acc_present_or_create)
VICINO_ADDRESS(acc_pcopyin)
VICINO_ADDRESS(acc_pcreate)

// Routines that do nothing here. Their arguments are addresses, sizes and numbers of queues, which
// the definition need not take to be called with them.
#define VICINO_NOTHING(name) \
  VICINO_API void name() {}
// The names for Fortran: for sizes of kind 4 and 8, and for an array.
#define VICINO_NOTHING_FORTRAN(name) \
  VICINO_NOTHING(name##_32_h_) VICINO_NOTHING(name##_64_h_) VICINO_NOTHING(name##_array_h_)
#define VICINO_NOTHING_BOTH(name) VICINO_NOTHING(name) VICINO_NOTHING_FORTRAN(name)
VICINO_NOTHING_FORTRAN(acc_copyin)
VICINO_NOTHING_FORTRAN(acc_create)
VICINO_NOTHING_FORTRAN(acc_present_or_copyin)
VICINO_NOTHING_FORTRAN(acc_present_or_create)
VICINO_NOTHING_BOTH(acc_copyin_async)
VICINO_NOTHING_BOTH(acc_create_async)
VICINO_NOTHING_BOTH(acc_copyout)
VICINO_NOTHING_BOTH(acc_copyout_async)
VICINO_NOTHING_BOTH(acc_copyout_finalize)
VICINO_NOTHING_BOTH(acc_copyout_finalize_async)
VICINO_NOTHING_BOTH(acc_delete)
VICINO_NOTHING_BOTH(acc_delete_async)
VICINO_NOTHING_BOTH(acc_delete_finalize)
VICINO_NOTHING_BOTH(acc_delete_finalize_async)
VICINO_NOTHING_BOTH(acc_update_device)
VICINO_NOTHING_BOTH(acc_update_device_async)
VICINO_NOTHING_BOTH(acc_update_self)
VICINO_NOTHING_BOTH(acc_update_self_async)
VICINO_NOTHING(acc_attach)
VICINO_NOTHING(acc_attach_async)
VICINO_NOTHING(acc_detach)
VICINO_NOTHING(acc_detach_async)
VICINO_NOTHING(acc_detach_finalize)
VICINO_NOTHING(acc_detach_finalize_async)

// An array comes as gfortran's descriptor, which begins with the address.
VICINO_API int acc_is_present_array_h_(void* const* descriptor) { return is_present(*descriptor); }
VICINO_API int acc_is_present_32_h_(const void* address, const int32_t*) {
  return is_present(address);
}
VICINO_API int acc_is_present_64_h_(const void* address, const int64_t*) {
  return is_present(address);
}
