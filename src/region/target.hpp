// target.hpp: target constructs. The host is the only device, so a target region runs on the thread
// that meets it, on the program's own memory, and constructs that move data have nothing to do.
#pragma once

#include "config/settings.hpp"
#include "team/call.hpp"

namespace vicino::region {

inline constexpr int kDevices = 0;
// The host's device number is the one after the last device. It has a fixed number besides.
inline constexpr int kHostDevice = kDevices;
inline constexpr int kInitialDevice = -1;  // omp_initial_device
inline constexpr int kInvalidDevice = -4;  // omp_invalid_device, as gcc has it
inline constexpr int kDefaultDevice = -5;  // omp_default_device: the one of default-device-var

// target-offload-var: what OMP_TARGET_OFFLOAD says, or the program has set.
config::TargetOffload target_offload() noexcept;
void set_target_offload(config::TargetOffload offload) noexcept;
// default-device-var of the calling task, where so many devices exist. The device that the program
// has chosen; else, if there is none and the program may not do without, kInvalidDevice, unless the
// settings name the host's number; else that of the settings. It follows from target-offload-var
// each time, which the program can change for all tasks at once.
int default_device(int devices = kDevices);
// Whether the number is the host's in a program without devices.
inline bool is_host(int device) noexcept {
  if (device == kDefaultDevice) device = default_device();
  return device == kHostDevice || device == kInitialDevice;
}

// A construct needs the device with this number. Ends the program if the host may not stand in for
// it. `construct` is the construct's name, for the message.
void need_device(const char* construct, int device);

// Runs call.run() as a target region, and returns when all tasks of the region have ended. The
// region has an initial task of its own, at level 0 and with the program's initial ICVs, and is a
// contention group of its own: its constructs do not bind to the team around it. `thread_limit`: of
// the construct's clause; 0: none.
void run_target(const team::Call& call, int thread_limit);

}  // namespace vicino::region
