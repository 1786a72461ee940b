// hash.hpp: FNV-1a with 64 bits: tells texts apart, and damaged text from the original.
//
// Not    against attackers: texts with a wanted hash are easily made.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace vicino {

constexpr uint64_t fnv1a(std::string_view bytes) noexcept {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// 16 digits.
inline std::string hexadecimal(uint64_t number) {
  std::string digits(16, '0');
  for (auto at = digits.rbegin(); number != 0; ++at, number >>= 4)
    *at = "0123456789abcdef"[number & 15];
  return digits;
}

}  // namespace vicino
