// hash.hpp: FNV-1a with 64 bits: tells texts apart, and damaged text from the original. And
// splitmix64, which makes numbers that look random from numbers that do not.
//
// Not    against attackers: texts with a wanted hash are easily made.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include "base/spread.hpp"

namespace vicino {

constexpr uint64_t fnv1a(std::string_view bytes) noexcept {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

// For many megabytes: a step takes eight bytes, as this machine reads them, where fnv1a() takes
// one. Its result has nothing to do with that of fnv1a(). Zeros complete the last step of `bytes`.
// `hash` is the result for what came before. A single step that differs always gives another
// result. The shift is not in FNV: a product has the factor's upper bits only in its own upper
// bits, so that without it two changes of the uppermost bit would cancel out.
inline uint64_t hash_by_words(std::string_view bytes,
                              uint64_t hash = 0xcbf29ce484222325u) noexcept {
  uint64_t word = 0;
  const auto step = [&] {
    hash = (hash ^ word) * 0x100000001b3u;
    hash ^= hash >> 32;
  };
  for (; bytes.size() >= sizeof word; bytes.remove_prefix(sizeof word)) {
    std::memcpy(&word, bytes.data(), sizeof word);  // of a length that the compiler knows
    step();
  }
  if (bytes.empty()) return hash;
  word = 0;
  std::memcpy(&word, bytes.data(), bytes.size());
  step();
  return hash;
}

// Number n of the sequence that begins with the state s is splitmix64(s + n * kSplitmixStep).
inline constexpr uint64_t kSplitmixStep = kGolden;
constexpr uint64_t splitmix64(uint64_t state) noexcept {
  uint64_t z = state + kSplitmixStep;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// 16 digits.
inline std::string hexadecimal(uint64_t number) {
  std::string digits(16, '0');
  for (auto at = digits.rbegin(); number != 0; ++at, number >>= 4)
    *at = "0123456789abcdef"[number & 15];
  return digits;
}

}  // namespace vicino
