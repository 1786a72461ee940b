// children.hpp: functions of the C library that children.cpp wraps.
#pragma once

namespace vicino::abi {

// Looks the C library's functions up. Called when the library is loaded: dlsym() waits for a thread
// that is inside dlopen(), which may wait for the caller; and in a child of fork() it may wait for a
// thread that does not exist.
void look_up_wrapped() noexcept;

}  // namespace vicino::abi
