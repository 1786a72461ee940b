// devices.cpp: OpenMP's routines on devices and on memory of devices.
//
// The host is the only device. Its memory is the program's, so nothing is ever mapped or associated.
// Where a program has libomptarget, that answers (offload.hpp).
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <climits>

#include "abi/omp/get.hpp"
#include "abi/omp/offload.hpp"
#include "abi/omp/target_memory.hpp"
#include "region/roots.hpp"
#include "region/target.hpp"
#include "team/worker.hpp"

using namespace vicino;
using abi::Offloaded;
using abi::Rectangle;
using region::is_host;

namespace {

constinit Offloaded<int()> offloaded_num_devices("omp_get_num_devices");

int num_devices() { return offloaded_num_devices ? offloaded_num_devices() : region::kDevices; }
void set_default_device(int number) {
  if (number != region::kDefaultDevice) region::writable_icvs_now().default_device = number;
}

bool in_range(int64_t value) { return value >= INT_MIN && value <= INT_MAX; }

}  // namespace

int abi::initial_device() noexcept { return num_devices(); }
bool abi::is_initial_device(int device) noexcept {
  if (device == region::kDefaultDevice) device = region::default_device(num_devices());
  return device == initial_device() || device == region::kInitialDevice;
}

VICINO_GET(int, omp_get_num_devices, num_devices())
VICINO_GET(int, omp_get_initial_device, abi::initial_device())
VICINO_GET(int, omp_get_device_num, abi::initial_device())
VICINO_GET(int, omp_is_initial_device, 1)
VICINO_GET(int, omp_get_default_device, region::default_device(num_devices()))

VICINO_API void omp_set_default_device(int number) { set_default_device(number); }
VICINO_API void omp_set_default_device_(const int* number) { set_default_device(*number); }
VICINO_API void omp_set_default_device_8_(const int64_t* number) {
  if (in_range(*number)) set_default_device(static_cast<int>(*number));
}

VICINO_API void* omp_target_alloc(size_t bytes, int device) {
  static constinit Offloaded<decltype(omp_target_alloc)> other("omp_target_alloc");
  if (other) return other(bytes, device);
  return is_host(device) ? malloc(bytes) : nullptr;
}
VICINO_API void omp_target_free(void* memory, int device) {
  static constinit Offloaded<decltype(omp_target_free)> other("omp_target_free");
  if (other) return other(memory, device);
  if (is_host(device)) free(memory);
}
VICINO_API int omp_target_is_present(const void* address, int device) {
  static constinit Offloaded<decltype(omp_target_is_present)> other("omp_target_is_present");
  if (other) return other(address, device);
  return address != nullptr && is_host(device);
}
// libomptarget has no such routine.
VICINO_API int omp_target_is_accessible(const void* address, size_t bytes, int device) {
  return address != nullptr && bytes > 0 && abi::is_initial_device(device);
}
VICINO_API void* omp_get_mapped_ptr(const void* address, int device) {
  static constinit Offloaded<decltype(omp_get_mapped_ptr)> other("omp_get_mapped_ptr");
  if (other) return other(address, device);
  return is_host(device) ? const_cast<void*>(address) : nullptr;
}

// The host's memory is its own: nothing else can stand for it.
VICINO_API int omp_target_associate_ptr(const void* host, const void* device_memory, size_t bytes,
                                        size_t offset, int device) {
  static constinit Offloaded<decltype(omp_target_associate_ptr)> other("omp_target_associate_ptr");
  return other ? other(host, device_memory, bytes, offset, device) : EINVAL;
}
VICINO_API int omp_target_disassociate_ptr(const void* host, int device) {
  static constinit Offloaded<decltype(omp_target_disassociate_ptr)> other(
      "omp_target_disassociate_ptr");
  return other ? other(host, device) : EINVAL;
}

VICINO_API int omp_target_memcpy(void* to, const void* from, size_t bytes, size_t to_offset,
                                 size_t from_offset, int to_device, int from_device) {
  static constinit Offloaded<decltype(omp_target_memcpy)> other("omp_target_memcpy");
  if (other) return other(to, from, bytes, to_offset, from_offset, to_device, from_device);
  if (!is_host(to_device) || !is_host(from_device)) return EINVAL;
  if (bytes > 0)
    memcpy(static_cast<char*>(to) + to_offset, static_cast<const char*>(from) + from_offset, bytes);
  return 0;
}

// The memory, or null if it is another device's.
VICINO_API void* omp_target_memset(void* memory, int value, size_t bytes, int device) {
  static constinit Offloaded<decltype(omp_target_memset)> other("omp_target_memset");
  if (other) return other(memory, value, bytes, device);
  if (!is_host(device)) return nullptr;
  return bytes > 0 ? memset(memory, value, bytes) : memory;
}

VICINO_API int omp_target_memcpy_rect(void* to, const void* from, size_t element, int dimensions,
                                      const size_t* volume, const size_t* to_offsets,
                                      const size_t* from_offsets, const size_t* to_sizes,
                                      const size_t* from_sizes, int to_device, int from_device) {
  static constinit Offloaded<decltype(omp_target_memcpy_rect)> other("omp_target_memcpy_rect");
  if (other)
    return other(to, from, element, dimensions, volume, to_offsets, from_offsets, to_sizes,
                 from_sizes, to_device, from_device);
  if (to == nullptr && from == nullptr) return INT_MAX;  // how many dimensions are supported
  if (dimensions < 1 || !is_host(to_device) || !is_host(from_device)) return EINVAL;
  const Rectangle part{
      element, dimensions, volume, {to_offsets, to_sizes}, {from_offsets, from_sizes}};
  if (!part.fits()) return EINVAL;
  part.copy(static_cast<char*>(to), static_cast<const char*>(from));
  return 0;
}
