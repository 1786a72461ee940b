// line.hpp: how far apart two words must lie so that one core's writes do not disturb another's.
#pragma once

#include <cstddef>

namespace vicino {

// One cache line, and the pair of lines that adjacent-line prefetchers move together. A constant,
// not std::hardware_destructive_interference_size: that differs between compilers' tuning flags,
// and these sizes are part of structures that several translation units share.
inline constexpr std::size_t kLine = 64;
inline constexpr std::size_t kLinePair = 128;

}  // namespace vicino
