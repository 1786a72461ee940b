// work.hpp: work of a length, for tasks that have nothing else to do.
#pragma once
#include <cstdint>

namespace bench {

// Takes about 1.7 ns for each step: the multiplications wait for each other. Returns 1.
inline long work(long steps) {
  uint64_t x = 1;
  for (long i = 0; i < steps; ++i) {
    x = x * 0x9E3779B97F4A7C15u + 1;
    asm volatile("" : "+r"(x));
  }
  return x != 0 || steps >= 0;
}

}  // namespace bench
