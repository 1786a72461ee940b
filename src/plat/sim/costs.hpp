// costs.hpp: what a simulated machine's cores take for the operations of the seam, in picoseconds.
//
// The values are those of a node with two packages of eight cores in the manner of Westmere;
// studies/cluster has their sources and limits (parameters.cpp).
#pragma once

#include <cmath>
#include <cstdint>

namespace vicino::sim {

using Time = uint64_t;  // picoseconds

inline constexpr Time kNanosecond = 1000;
inline Time picoseconds(double ns) { return static_cast<Time>(std::llround(ns * 1000)); }

struct Costs {
  uint32_t cores_per_package = 8;  // or in another group in which lines are near
  uint32_t members_per_core = 1;   // hardware threads: member m sits on core m / members_per_core
  // How many lines a core fetches at once, where loads follow each other without anything between
  // them (T7 in team.hpp).
  uint32_t overlap = 1;
  // Whether a core that fails a compare-and-swap still has the line when it tries again (T9).
  bool keeps_line = false;
  Time hit = 1'400;         // a load from a line that the core has
  Time own = 7'000;         // an update of a line that no other core has
  Time near_line = 37'000;  // a line from another core of the package
  Time far_line = 74'000;   // a line from another package, or from memory
  Time clock = 8'000;       // now()
  Time poll = 50'000;       // relax(), and the time between two polls of wait_on()
  Time call = 1'000'000;    // a system call
  Time wake = 5'000'000;    // from wake() until the woken member runs

  // A machine on which nothing but the work takes time.
  static constexpr Costs none() noexcept {
    Costs costs;
    costs.hit = costs.own = costs.near_line = costs.far_line = costs.clock = costs.call =
        costs.wake = 0;
    costs.poll = 1;  // so that time goes on while a member polls
    return costs;
  }

  Time line(uint32_t from_core, uint32_t to_core) const noexcept {
    return from_core / cores_per_package == to_core / cores_per_package ? near_line : far_line;
  }
};

}  // namespace vicino::sim
