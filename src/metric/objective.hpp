// objective.hpp: what loops are tuned to use little of.
#pragma once

#include <cstdint>
#include <string>

namespace vicino::metric {

enum class Objective : uint8_t { kTime, kCycles, kLlcMisses, kNodeLoads, kNodeMisses, kEnergy };

// What is counted, as a heading.
const char* noun(Objective objective) noexcept;

// "1.53 ms", "12.3 kcycles", "4.5 mJ". The amount is in nanoseconds, in joules, or a number.
std::string in_words(Objective objective, double amount);

}  // namespace vicino::metric
