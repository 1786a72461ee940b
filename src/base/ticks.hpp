// ticks.hpp: a clock for events of which there are very many. The CPU's counter, where the kernel itself trusts it, is
// read in a fraction of a system clock's time. How long a tick is, two looks at a clock beside it tell.
#pragma once

#include <cstdint>

namespace vicino {

namespace detail {

// Whether the counter runs alike on all CPUs, as the kernel found.
extern constinit bool counter_is_clock;
uint64_t ticks_of_system() noexcept;

}  // namespace detail

// To be called before the first tick is read.
void choose_ticks();

inline uint64_t ticks() noexcept {
#if defined __x86_64__
  if (detail::counter_is_clock) [[likely]]
    return __builtin_ia32_rdtsc();
#elif defined __aarch64__
  uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#endif
  return detail::ticks_of_system();
}

}  // namespace vicino
