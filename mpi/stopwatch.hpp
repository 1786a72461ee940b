// stopwatch.hpp: how long a call takes.
//
// Why    Reading the system's clock takes 20 ns, twice for each call that is timed; a message between
//        two ranks of one machine takes 100 ns. The processor's own counter takes half of that.
// When   The kernel itself uses the counter as its clock, so the counters of all cores agree and
//        run at one rate. The rate is measured while MPI_Init runs; until then it is the system's clock.
#pragma once

#include <cstdint>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include "plat/plat.hpp"

namespace vicino::pmpi {

// Nanoseconds of a tick of the processor's counter; 0: do not use it. Written once, while MPI
// begins: no other thread may call MPI then.
inline constinit double ns_per_tick = 0;

// Measures the rate between the two calls.
void begin_to_measure_ticks() noexcept;
void end_to_measure_ticks() noexcept;

inline uint64_t ticks() noexcept {
#if defined(__x86_64__)
  return __rdtsc();
#elif defined(__aarch64__)
  uint64_t count;
  asm volatile("mrs %0, cntvct_el0" : "=r"(count));
  return count;
#endif
}

// A time, in ticks or nanoseconds.
inline uint64_t clock_now() noexcept { return ns_per_tick != 0 ? ticks() : plat::now(); }

inline uint64_t ns_between(uint64_t begin, uint64_t end) noexcept {
  if (ns_per_tick == 0) return end - begin;
  // By way of a signed number: a conversion to an unsigned one takes a comparison and a jump.
  return static_cast<uint64_t>(
      static_cast<int64_t>(static_cast<double>(static_cast<int64_t>(end - begin)) * ns_per_tick));
}

}  // namespace vicino::pmpi
