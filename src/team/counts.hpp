// counts.hpp: what each thread did with tasks: VICINO_STATS.
//
// Counted always: a store to a line of the thread's own costs less than asking whether to count.
#pragma once

#include <array>
#include <cstdint>

#include "base/line.hpp"
#include "plat/plat.hpp"
#include "topo/distance.hpp"

namespace vicino::team {

// Written by its own thread, read by whoever prints.
class Count {
 public:
  void operator++() noexcept {
    value_.store(value_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  plat::atomic<uint64_t> value_{0};
};

using topo::Distance;
using topo::kDistanceNames;

struct alignas(kLinePair) Counts {
  explicit Counts(int number) : gtid(number) {}

  const int gtid;
  Count spawned;                                    // tasks that others could have run
  Count at_once;                                    // and such as were run where they were met
  Count executed;                                   // of the spawned
  std::array<Count, kDistanceNames.size()> stolen;  // by how far the thief was
  Count failed;                                     // looks round the team that found nothing
  Count slept;
};

// Lives as long as the process. Under the Cold lock.
Counts& new_counts(int gtid);
// Whether there have been any: whether a thread of this process has used OpenMP.
bool any_counts() noexcept;
// How many threads.
std::size_t counted_threads() noexcept;

}  // namespace vicino::team
