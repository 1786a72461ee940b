// digest.hpp: folds numbers into 64 bits that represent a state.
#pragma once

#include <cstdint>

namespace vicino::model {

// The finaliser of splitmix64: every bit of the input reaches every bit of the result.
constexpr uint64_t scramble(uint64_t x) noexcept {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

constexpr uint64_t fold(uint64_t digest, uint64_t value) noexcept {
  return scramble(digest ^ scramble(value));
}

}  // namespace vicino::model
