// region_counts.hpp: the parallel regions that each thread led, and how long they took:
// VICINO_STATS, VICINO_REPORT, VICINO_EXPLAIN.
//
// Cost   The number of regions is always counted: one increment at the end of a region. The clock
//        is read, and the rest is kept, only where one of those settings asks for it.
//
// Memory order: a thread writes its own list; the thread that prints reads it.
//  (1) the release store that puts a new entry at the head synchronizes with
//  (2) the acquire load of the head, so a reader finds each entry's kind and successor complete.
#pragma once

#include <stdio.h>

#include <vector>

#include "base/line.hpp"
#include "site/counts.hpp"

namespace vicino::config {
struct Settings;
}

namespace vicino::site {

struct RegionKind {
  int asked;         // how many threads its clause or the ICV asked for
  int threads;       // how many it had
  bool by_clause;    // num_threads
  bool inner;        // it lies inside another region
  bool alone;        // its primary thread did all of it (region/alone.hpp)
  bool leaves_room;  // it had fewer than it could, for other processes (region/room.hpp)
  bool operator==(const RegionKind&) const = default;
};

// Regions of one kind.
struct RegionSum {
  RegionKind kind;
  uint64_t regions;
  uint64_t ns;  // together
};

// The regions that one thread led.
class alignas(kLinePair) RegionCounts {
 public:
  void count(const RegionKind& kind, uint64_t ns, bool inside_own) noexcept;
  // Time in regions that this thread led. A region inside another one that it led is not added
  // again.
  uint64_t ns() const noexcept { return ns_.value(); }
  void add_to(std::vector<RegionSum>& sums) const;
  int widest() const noexcept;
  // Called in a child of fork(), by its only thread.
  void forget() noexcept;

 private:
  struct Entry {
    const RegionKind kind;
    Entry* const next;
    Count regions, ns;
  };
  plat::atomic<Entry*> first_{nullptr};
  Count ns_;
};

// Whether a setting asks for more than the number of regions.
bool times_regions(const config::Settings& settings) noexcept;

// The regions of all threads of this process, those with the most time first.
std::vector<RegionSum> region_sums();
// The number of regions; it is known also where regions are not timed and region_sums() is empty.
uint64_t counted_regions() noexcept;

// By thread, for VICINO_STATS. The caller holds the Cold lock.
void print_regions_table(FILE* out);
void print_regions_json(FILE* out);

}  // namespace vicino::site
