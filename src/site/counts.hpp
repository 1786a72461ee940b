// counts.hpp: what each thread did with tasks, and how many regions it led: VICINO_STATS.
//
// Threads always count: a store to a cache line of the thread's own costs less than a test of
// whether to count.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "base/line.hpp"
#include "plat/plat.hpp"
#include "topo/distance.hpp"

namespace vicino::site {

using topo::Distance;
using topo::kDistanceNames;

class RegionCounts;

// One thread writes it, and the thread that prints reads it.
//
// Memory order: relaxed. The number says nothing about other memory, and only one thread changes
// it, so a load and a store are enough and no increment is lost. A reader may get an older number.
class Count {
 public:
  [[gnu::always_inline]] void operator++() noexcept { add(1); }
  [[gnu::always_inline]] void add(uint64_t more) noexcept {
    value_.store(value_.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }
  void reset() noexcept { value_.store(0, std::memory_order_relaxed); }
  uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  plat::atomic<uint64_t> value_{0};
};

struct alignas(kLinePair) Counts {
  explicit Counts(int number);
  ~Counts();

  const int gtid;
  Count spawned;                                    // tasks that other threads could have run
  Count at_once;                                    // tasks that it ran where it met them
  Count executed;                                   // spawned tasks that it ran, its own or others'
  std::array<Count, kDistanceNames.size()> stolen;  // by how far the thief was
  Count failed;                                     // searches of the team that found nothing
  Count slept;
  Count regions;  // that it led and that have ended, regions of one thread included
  const std::unique_ptr<RegionCounts> region_times;

  void forget() noexcept;
};

// The counts live as long as the process. A thread that begins takes those that an ended thread with
// its number has left, so that threads that come and go leave nothing more behind. The caller holds
// the Cold lock.
Counts& take_counts(int gtid);
void leave_counts(Counts& counts);
// Whether a thread of this process has used OpenMP.
bool any_counts() noexcept;
// How many threads have used OpenMP.
std::size_t counted_threads() noexcept;
// The caller holds the Cold lock.
std::span<const std::unique_ptr<Counts>> all_counts() noexcept;
// For a child of fork(), which does not report what its parent's threads did: forgets all counts.
// `survivor` are the counts of the only thread that is left; null if it has none. The caller holds
// the Cold lock.
void forget_counts(Counts* survivor) noexcept;

// VICINO_STATS: prints what was counted. At the process's end.
void print_counts();

}  // namespace vicino::site
