// units.hpp: a loop cut into units few enough for 32 bits, and its last one kept apart.
//
// Why    What a lane has left must fit in one word, so that one CAS moves it (part.hpp): two 32-bit
//        numbers. A longer loop is dealt in units of several iterations; a unit is then less than
//        the 2^31st part of the loop, too little to matter for the balance.
//        The last unit is dealt to no lane. The first member that finds everything else gone gets
//        it, and nothing after it. So the last iteration is the last that its member runs, on which
//        compiled code for lastprivate and linear relies (LoopScheduler in plan.hpp).
#pragma once

#include <algorithm>
#include <cstdint>

#include "loop/range.hpp"
#include "plat/plat.hpp"

namespace vicino::loop {

struct Units {
  static constexpr uint64_t kMost = UINT32_MAX - 1;

  uint64_t trip = 0;
  uint64_t size = 1;  // iterations in a unit

  // Units as small as fits.
  static constexpr Units of(uint64_t trip) noexcept {
    return {trip, trip > kMost ? (trip - 1) / kMost + 1 : 1};
  }

  // The units to be dealt: all but the last.
  constexpr uint64_t count() const noexcept { return trip > 0 ? (trip - 1) / size : 0; }
  constexpr Range range(uint64_t begin, uint64_t end) const noexcept {
    return {begin * size, end * size};
  }
  constexpr Range last() const noexcept { return {count() * size, trip}; }
  // At least one.
  constexpr uint64_t units_in(uint64_t iterations) const noexcept {
    return std::clamp<uint64_t>(iterations / size, 1, kMost);
  }
};

// The last unit, which is given once.
class LastUnit {
 public:
  void start(bool exists) noexcept { taken_.store(!exists, std::memory_order_relaxed); }
  // The load before the exchange keeps members that come too late from taking the line for writing.
  bool take() noexcept {
    return !taken_.load(std::memory_order_relaxed) &&
           !taken_.exchange(true, std::memory_order_relaxed);
  }

 private:
  plat::atomic<bool> taken_{true};
};

}  // namespace vicino::loop
