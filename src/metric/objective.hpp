// objective.hpp: what the tuner minimises for loops, taskloops and regions.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace vicino::metric {

enum class Objective : uint8_t { kTime, kCycles, kLlcMisses, kNodeLoads, kNodeMisses, kEnergy };

// The names in settings and profiles, in the order of the enumerators.
inline constexpr std::array<std::string_view, 6> kObjectives{
    "time", "cycles", "llc_misses", "node_loads", "node_misses", "energy"};
constexpr std::string_view name_of(Objective objective) noexcept {
  return kObjectives[static_cast<std::size_t>(objective)];
}

// What is counted, as a heading.
const char* noun(Objective objective) noexcept;

// "1.53 ms", "12.3 kcycles", "4.5 mJ". The amount is in nanoseconds or joules, or is a number.
std::string in_words(Objective objective, double amount);

}  // namespace vicino::metric
