// view.hpp: what a thread, or a message from it, knows about the order of stores and operations.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

namespace vicino::model {

// Sizes are fixed, so that a view is copied without allocating: each store carries one.
inline constexpr unsigned kMaxThreads = 6;      // the scenario's main thread and five more
inline constexpr unsigned kMaxLocations = 128;  // atomic objects of one scenario

using ThreadId = unsigned;
using LocationId = unsigned;
using Time = uint16_t;  // a store's place in its location's modification order

// For each location, the oldest store that may still be read.
using Frontier = std::array<Time, kMaxLocations>;

struct View {
  Frontier oldest{};
  std::array<uint16_t, kMaxThreads>
      clock{};  // per thread, how many of its operations happened before

  void join(const View& other) noexcept {
    for (unsigned i = 0; i < kMaxLocations; ++i) oldest[i] = std::max(oldest[i], other.oldest[i]);
    for (unsigned i = 0; i < kMaxThreads; ++i) clock[i] = std::max(clock[i], other.clock[i]);
  }
};

}  // namespace vicino::model
