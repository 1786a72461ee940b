// cursor.hpp: what one member keeps of a loop between two chunks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "loop/range.hpp"
#include "topo/distance.hpp"

namespace vicino::loop {

// What a schedule did, for statistics; the numbers only grow.
struct Tally {
  uint64_t adapted = 0;                                        // how often a chunk size was changed
  std::array<uint64_t, topo::kDistanceNames.size()> stolen{};  // how often, by topo::Distance

  void count_steal(topo::Distance distance) noexcept { ++stolen[static_cast<size_t>(distance)]; }
};

// What one member keeps of a loop between two chunks. The cursor lies in the member, and its size
// must not depend on the schedule: so it has room for the state of any of them.
struct Cursor {
  static constexpr std::size_t kLocalSize = 88;

  uint32_t member = 0;
  alignas(uint64_t) std::byte local[kLocalSize]{};
  Tally tally;

  // The state that the schedule's enter() has made here (plan.hpp). std::launder() is left
  // out: after it compilers load the cursor's fields again, and they hold no values of an older
  // state that could be wrong.
  template <class Local>
  Local& as() noexcept {
    return *reinterpret_cast<Local*>(local);
  }
};

}  // namespace vicino::loop
