// device.hpp: OpenACC's device types. The host is the only device there is.
#pragma once

namespace vicino::abi::acc {

// acc_device_t
enum DeviceType : int {
  kCurrent = -1,
  kNone = 0,
  kDefault = 1,
  kHost = 2,
  kNotHost = 4,
  kNvidia = 5,
  kRadeon = 8,
};

// Ends the program if there is no such device type at all.
void check_type(const char* routine, int type);
// Whether the type stands for the host.
constexpr bool is_host(int type) noexcept {
  return type == kHost || type == kDefault || type == kCurrent;
}

}  // namespace vicino::abi::acc
