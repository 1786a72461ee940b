// rounding_aarch64.cpp: the rounding mode, for libstdc++, so that the library does not need libm.
// rounding_x86_64.cpp says why, and why it is safe.
#include <cstdint>

namespace {
constexpr uint64_t kMode = 0xC00000;  // in the register FPCR, and of <fenv.h>
}

[[gnu::visibility("hidden")]] int rounding_mode() noexcept __asm__("fegetround");
[[gnu::visibility("hidden")]] int set_rounding_mode(int mode) noexcept __asm__("fesetround");

int rounding_mode() noexcept {
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  return static_cast<int>(control & kMode);
}

int set_rounding_mode(int mode) noexcept {
  const auto wanted = static_cast<uint64_t>(static_cast<uint32_t>(mode));
  if ((wanted & ~kMode) != 0) return 1;
  uint64_t control;
  __asm__ volatile("mrs %0, fpcr" : "=r"(control));
  control = (control & ~kMode) | wanted;
  __asm__ volatile("msr fpcr, %0" : : "r"(control));
  return 0;
}
