// device.cpp: OpenACC's routines on devices.
#include "abi/openacc/device.hpp"

#include <string.h>

#include <algorithm>
#include <cstdint>

#include "abi/api.hpp"
#include "base/say.hpp"

namespace vicino::abi {

void acc::check_type(const char* routine, int type) {
  switch (type) {
    case kCurrent:
    case kNone:
    case kDefault:
    case kHost:
    case kNotHost:
    case kNvidia:
    case kRadeon:
      return;
    default:
      give_up(
          "%s: there is no device type %d: known are 0 (none), 1 (default), 2 (host), "
          "4 (not_host), 5 (nvidia), 8 (radeon)",
          routine, type);
  }
}

}  // namespace vicino::abi

using namespace vicino;
using namespace vicino::abi::acc;

namespace {

int num_devices(int type) {
  check_type("acc_get_num_devices", type);
  return is_host(type);
}

// Programs that choose a device want it; there is no other that could stand in.
void need_host(const char* routine, int type) {
  check_type(routine, type);
  if (!is_host(type))
    give_up("%s: there is no device of type %d, only the host (acc_device_host, 2)", routine, type);
}
void need_number(const char* routine, int number) {
  if (number != 0) give_up("%s: there is no device %d: the host is device 0", routine, number);
}

void set_device_type(int type) { need_host("acc_set_device_type", type); }
// Type 0 stands for all types. A negative number stands for the default.
void set_device_num(int number, int type) {
  constexpr char kRoutine[] = "acc_set_device_num";
  if (type != kNone) need_host(kRoutine, type);
  need_number(kRoutine, std::max(number, 0));
}
int device_num(int type) {
  need_host("acc_get_device_num", type);
  return 0;
}
void init(int type) { need_host("acc_init", type); }
void shutdown(int type) { need_host("acc_shutdown", type); }
int is_on(int type) { return type == kHost || type == kNone; }

// acc_device_property_t; those with this bit are strings.
constexpr int kStrings = 0x10000;
constexpr int kName = kStrings | 1, kVendor = kStrings | 2, kDriver = kStrings | 3;

void check_property(const char* routine, int number, int type) {
  need_host(routine, type);
  need_number(routine, number);
}
// The answers are those of libgomp's host device: programs compare them.
const char* string_property(int number, int type, int property) {
  check_property("acc_get_property_string", number, type);
  switch (property) {
    case kName:
      return "GOMP";
    case kVendor:
      return "GNU";
    case kDriver:
      return "1.0";
    default:
      return nullptr;
  }
}
// The host has no memory of a device's own.
size_t number_property(int number, int type, int) {
  check_property("acc_get_property", number, type);
  return 0;
}

}  // namespace

VICINO_API int acc_get_num_devices(int type) { return num_devices(type); }
VICINO_API int acc_get_num_devices_h_(const int* type) { return num_devices(*type); }
VICINO_API void acc_set_device_type(int type) { set_device_type(type); }
VICINO_API void acc_set_device_type_h_(const int* type) { set_device_type(*type); }
VICINO_API int acc_get_device_type() { return kHost; }
VICINO_API int acc_get_device_type_h_() { return kHost; }
VICINO_API void acc_set_device_num(int number, int type) { set_device_num(number, type); }
VICINO_API void acc_set_device_num_h_(const int* number, const int* type) {
  set_device_num(*number, *type);
}
VICINO_API int acc_get_device_num(int type) { return device_num(type); }
VICINO_API int acc_get_device_num_h_(const int* type) { return device_num(*type); }
VICINO_API void acc_init(int type) { init(type); }
VICINO_API void acc_init_h_(const int* type) { init(*type); }
VICINO_API void acc_shutdown(int type) { shutdown(type); }
VICINO_API void acc_shutdown_h_(const int* type) { shutdown(*type); }
VICINO_API int acc_on_device(int type) { return is_on(type); }
VICINO_API int acc_on_device_h_(const int* type) { return is_on(*type); }

// Fortran passes these arguments by value, and the room for a string last.
VICINO_API size_t acc_get_property(int number, int type, int property) {
  return number_property(number, type, property);
}
VICINO_API size_t acc_get_property_h_(int number, int type, int property) {
  return number_property(number, type, property);
}
VICINO_API const char* acc_get_property_string(int number, int type, int property) {
  return string_property(number, type, property);
}
VICINO_API void acc_get_property_string_h_(int number, int type, int property, char* room,
                                           size_t size) {
  const char* const text = string_property(number, type, property);
  const size_t length = text == nullptr ? 0 : std::min(strlen(text), size);
  if (length > 0) memcpy(room, text, length);
  std::fill(room + length, room + size, ' ');
}

// No device has a CUDA context.
VICINO_API void* acc_get_current_cuda_device() { return nullptr; }
VICINO_API void* acc_get_current_cuda_context() { return nullptr; }
VICINO_API void* acc_get_cuda_stream(int) { return nullptr; }
VICINO_API int acc_set_cuda_stream(int, void*) { return 0; }
