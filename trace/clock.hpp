// clock.hpp: the time of a record. The CPU's counter, where the kernel itself trusts it, is read in a fraction of a system
// clock's time, and turned into nanoseconds when the record is written.
#pragma once

#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::trace {

// Whether the counter runs alike on all CPUs, as the kernel found. Set before the first record.
extern constinit bool counter_is_clock;

inline uint64_t ticks() noexcept {
#if defined __x86_64__
  if (counter_is_clock) [[likely]]
    return __builtin_ia32_rdtsc();
#elif defined __aarch64__
  uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#endif
  return plat::now();
}

void choose_clock();

// Ticks to nanoseconds of CLOCK_BOOTTIME, which is the viewer's clock. Between two looks at both clocks time is
// interpolated, so that it goes on without a jump.
class Converter {
 public:
  // Looks at both clocks. Records that are older than the last look are converted by it.
  void look() noexcept;
  uint64_t ns(uint64_t ticks) const noexcept;

 private:
  struct Look {
    uint64_t ticks = 0, ns = 0;
  };
  Look before_, last_;
  double ns_per_tick_ = 1;
};

}  // namespace vicino::trace
