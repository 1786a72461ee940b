// objective.hpp: what loops, taskloops and regions are tuned to use little of.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace vicino::metric {

enum class Objective : uint8_t { kTime, kCycles, kLlcMisses, kNodeLoads, kNodeMisses, kEnergy };

// As settings and profiles name them, in this order.
inline constexpr std::array<std::string_view, 6> kObjectives{
    "time", "cycles", "llc_misses", "node_loads", "node_misses", "energy"};
constexpr std::string_view name_of(Objective objective) noexcept {
  return kObjectives[static_cast<std::size_t>(objective)];
}

// What is counted, as a heading.
const char* noun(Objective objective) noexcept;

// "1.53 ms", "12.3 kcycles", "4.5 mJ". The amount is in nanoseconds, in joules, or a number.
std::string in_words(Objective objective, double amount);

}  // namespace vicino::metric
