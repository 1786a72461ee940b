// efficiency.hpp: POP's efficiencies for shared memory, as DLB's TALP counts them.
//
// In a region, what each thread loses at least is scheduling, and what some lose more than that is imbalance. Outside
// of regions one thread works, and the others lose all; so do those that a region's team does without.
#pragma once

#include <cstdint>
#include <span>

namespace vicino::metric {

// Shares of 1. The first is the product of the others.
struct Efficiency {
  double parallel = 1, load_balance = 1, scheduling = 1, serialization = 1;
};

// Thread time, in ns.
struct Lost {
  uint64_t useful = 0, imbalance = 0, scheduling = 0, serial = 0;

  // An execution of a region; `worked`: of each thread of its team.
  void add_region(uint64_t ns, std::span<const uint64_t> worked) noexcept;
  void add(const Lost& more) noexcept;
  // After all regions: what the largest team's threads had besides. `in_regions`: the time of all regions;
  // `by_threads`: that of all threads of their teams.
  void add_rest(uint64_t whole, uint64_t in_regions, uint64_t by_threads, int team) noexcept;

  Efficiency efficiency() const noexcept;
};

}  // namespace vicino::metric
