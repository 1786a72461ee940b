// spread.hpp: Fibonacci hashing (D. Knuth, The Art of Computer Programming, volume 3, 6.4): keys that lie close to each
// other, as addresses do, become numbers that do not.
#pragma once

#include <cstdint>

namespace vicino {

inline constexpr uint64_t kGolden = 0x9e3779b97f4a7c15u;  // 2^64 by the golden ratio

// A number of so many bits, 1 to 64.
constexpr uint64_t spread(uint64_t key, int bits) noexcept { return key * kGolden >> (64 - bits); }
inline uint64_t spread(const void* address, int bits) noexcept {
  return spread(reinterpret_cast<uintptr_t>(address), bits);
}

}  // namespace vicino
