// cursor.hpp: what one member keeps of a loop between two chunks.
#pragma once

#include <array>
#include <cstdint>

#include "loop/range.hpp"
#include "topo/distance.hpp"

namespace vicino::loop {

// What a schedule did, for statistics; the numbers only grow.
struct Tally {
  uint64_t adapted = 0;                                        // chunk sizes
  std::array<uint64_t, topo::kDistanceNames.size()> stolen{};  // how often, by topo::Distance

  void count_steal(topo::Distance distance) noexcept { ++stolen[static_cast<size_t>(distance)]; }
};

// What one member keeps between two chunks. The cursor lies in the member, and its size must not
// depend on the schedule: hence one type for all schedules. Each decides what the fields mean.
struct Cursor {
  uint32_t member = 0;
  uint32_t extra = 0;
  uint64_t a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0;
  Tally tally;
};

}  // namespace vicino::loop
