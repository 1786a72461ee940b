// fp_control.hpp: how a thread rounds, which floating-point traps it has, and whether it flushes small numbers to zero.
//
// The kernel gives a thread that of its creator. But a team outlives what its primary thread sets, and a worker may come
// from another thread's team; so members take over their primary thread's at each region, as in libomp. One region
// would have two arithmetics otherwise.
#pragma once

#include <cstdint>

namespace vicino {

#if defined(__x86_64__)

// Of the calling thread, in a form of the processor's.
inline uint64_t fp_control() noexcept {
  constexpr uint32_t kFlags = 0x3F;  // which exceptions the thread has met
  uint16_t x87;
  asm volatile("fnstcw %0" : "=m"(x87));
  return uint64_t{x87} << 32 | (__builtin_ia32_stmxcsr() & ~kFlags);
}

// The calling thread's flags stay. Writing takes longer than reading.
inline void take_over_fp_control(uint64_t control) noexcept {
  const uint64_t mine = fp_control();
  if (mine == control) return;
  const auto x87 = static_cast<uint16_t>(control >> 32);
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() ^ static_cast<uint32_t>(mine ^ control));
  asm volatile("fldcw %0" : : "m"(x87));
}

#elif defined(__aarch64__)

inline uint64_t fp_control() noexcept {
  uint64_t control;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return control;
}
inline void take_over_fp_control(uint64_t control) noexcept {
  if (control != fp_control()) asm volatile("msr fpcr, %0" : : "r"(control));
}

#else

inline uint64_t fp_control() noexcept { return 0; }
inline void take_over_fp_control(uint64_t) noexcept {}

#endif

}  // namespace vicino
