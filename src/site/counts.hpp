// counts.hpp: what is counted of threads, regions and loops; stats.hpp prints it.
//
// Cost   Threads always count their tasks and the regions that they led: a store to a cache line of
//        the thread's own costs less than a test of whether to count. The clock is read for regions
//        only where a setting asks for it (times_regions()).
//        Loops are counted for VICINO_STATS. When off, that costs a few tests of a flag for each
//        loop. A loop that is counted gets `next_counted` in place of its schedule's own next(), and
//        that reads the clock twice. Scheduling time is the time in which a member is neither in the
//        loop's body, nor in the barrier at its end, nor waiting for its turn in an ordered region.
//        The time that counting takes is not part of it, except for one reading of the clock.
//
// Memory order: a thread writes its own list of regions; the thread that prints reads it.
//  (1) the release store that puts a new entry at the head synchronizes with
//  (2) the acquire load of the head, so a reader finds each entry's kind and successor complete.
// All numbers are relaxed: each stands for itself, and a reader may get an older one.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/line.hpp"
#include "loop/cursor.hpp"
#include "plat/plat.hpp"
#include "topo/distance.hpp"

namespace vicino::config {
struct Settings;
}

namespace vicino::site {

using topo::Distance;
using topo::kDistanceNames;

// One thread writes it, so a load and a store are enough and no increment is lost.
class Count {
 public:
  [[gnu::always_inline]] void operator++() noexcept { add(1); }
  void operator--() noexcept { add(~uint64_t{0}); }  // of what was no event of the program's
  [[gnu::always_inline]] void add(uint64_t more) noexcept {
    value_.store(value_.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }
  void reset() noexcept { value_.store(0, std::memory_order_relaxed); }
  uint64_t value() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  plat::atomic<uint64_t> value_{0};
};

// --- Regions ---

struct RegionKind {
  int asked;         // how many threads its clause or the ICV asked for
  int threads;       // how many it had
  bool by_clause;    // num_threads
  bool inner;        // it lies inside another region
  bool alone;        // its primary thread did all of it (region/alone.hpp)
  bool leaves_room;  // it had fewer than it could, for other processes (region/room.hpp)
  bool needs_all;    // its library is known to go wrong with fewer (known_modules.hpp)
  bool operator==(const RegionKind&) const = default;
};

// Regions of one kind.
struct RegionSum {
  RegionKind kind;
  uint64_t regions;
  uint64_t ns;  // together
};

// The regions that one thread led, and how long they took.
class alignas(kLinePair) RegionCounts {
 public:
  RegionCounts() noexcept = default;
  ~RegionCounts() { forget(); }  // in a child of fork(): an ended thread's are dropped whole
  RegionCounts(const RegionCounts&) = delete;

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

// --- Threads ---

struct alignas(kLinePair) Counts {
  explicit Counts(int number) noexcept : gtid(number) {}

  const int gtid;
  Count spawned;                                    // tasks that other threads could have run
  Count at_once;                                    // tasks that it ran where it met them
  Count executed;                                   // spawned tasks that it ran, its own or others'
  std::array<Count, kDistanceNames.size()> stolen;  // from others' deques, by how far these were
  Count failed;                                     // rounds through the others' deques that found nothing
  Count slept;
  Count regions;  // that it led and that have ended, regions of one thread included
  RegionCounts region_times;

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

// --- Loops ---

// What all executions of a loop did. Each member adds its part when the part ends, by an RMW, which
// loses nothing. A loop that is still running at the process's end may be missing.
struct LoopCounts {
  plat::atomic<uint64_t> loops{0}, iterations{0}, chunks{0}, least{UINT64_MAX}, most{0}, adapted{0};
  plat::atomic<uint64_t> took_part{0};      // members that got iterations, summed over executions
  plat::atomic<uint64_t> scheduling_ns{0};  // time that all members spent in the runtime for it
  plat::atomic<uint64_t> stolen[kDistanceNames.size()]{};
};

// What a member keeps while it is in a loop that is counted.
struct LoopCounting {
  LoopCounts* sums = nullptr;                                                  // null: not counted
  loop::Range (*next)(void* shared, loop::Cursor& cursor) noexcept = nullptr;  // the schedule's
  void* shared = nullptr;
  uint64_t iterations = 0, chunks = 0, least = UINT64_MAX, most = 0, scheduling_ns = 0;
  loop::Tally before;

  // Counting begins, and ends with finish(). `begin_ns`: how long beginning the loop has taken.
  void start(LoopCounts& its_sums, loop::Range (*its_next)(void*, loop::Cursor&) noexcept,
             void* its_shared, const loop::Tally& tally, uint64_t begin_ns);
  void add_chunk(uint64_t size) noexcept;
  void finish(const loop::Tally& tally, bool first_member) noexcept;
};

// Stands for a LoopScheduler's next(); `shared` is a LoopCounting.
loop::Range next_counted(void* shared, loop::Cursor& cursor) noexcept;

// What a member does for a taskloop while it runs the taskloop's tasks. Its chunks are tasks, and
// the time between two tasks is scheduling time.
class TaskloopCounting {
 public:
  // `sums` is null if the taskloop is not counted.
  explicit TaskloopCounting(LoopCounts* sums) {
    if (sums == nullptr) return;
    counting_.start(*sums, nullptr, nullptr, tally_, 0);
    since_ = plat::now();
  }
  void begin_tasks(uint64_t iterations) noexcept {
    if (counting_.sums == nullptr) return;
    counting_.scheduling_ns += plat::now() - since_;
    counting_.add_chunk(iterations);
  }
  void end_tasks() noexcept {
    if (counting_.sums != nullptr) since_ = plat::now();
  }
  void count_steal(Distance distance) noexcept { tally_.count_steal(distance); }
  // `met_it` is true for exactly one of the members.
  void finish(bool met_it) noexcept {
    if (counting_.sums == nullptr) return;
    counting_.scheduling_ns += plat::now() - since_;
    counting_.finish(tally_, met_it);
  }

 private:
  LoopCounting counting_;
  loop::Tally tally_;
  uint64_t since_ = 0;
};

}  // namespace vicino::site
