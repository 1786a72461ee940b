// leaders.hpp: which of the program's threads lead teams at the same time, and how they divide the process's CPUs.
//
// Why    Each root's team is as large as the machine. Where several have regions at the same time, their threads are
//        switched in and out and wait for each other's turns, as those of several processes do (room.hpp). But here
//        nothing has to be guessed: the roots tell each other what they do.
// Part   Of a region that may have fewer threads: an equal part of the CPUs among the roots that lead now, or what the
//        others leave, if that is more. A root leads now if it is in a region, or began one in the last kRecentNs: a root
//        between two regions is about to begin the next, and one that has gone on to something else leaves its part to
//        the others.
// Waits  Of any region: its threads sleep at each wait if the roots that led in the last kLatelyNs have more threads than
//        there are CPUs (team/waiting.hpp). A CPU whose thread polls looks busy to the kernel, which then leaves another team's
//        thread, ready to run, behind a third one on another CPU.
// Cost   nothing for a process with one root. Otherwise a reading of the clock and two stores to a line of the root's
//        own; every kLookNs a look at the others' lines.
// Not    more than kMost roots at a time: one that finds no line sees the others and is not seen by them.
//
// Memory order: all relaxed. Any number of threads and any way to wait is right; what is read late is read again in the
// next region.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/line.hpp"
#include "plat/plat.hpp"
#include "sync/patience.hpp"

namespace vicino::region {

class Leaders {
 public:
  // A server's threads that have each had a region, and wait for requests, keep a line.
  static constexpr int kMost = 1024;
  static constexpr int kNone = -1;
  // As long as two time slices: a thread that shares its CPU with others takes so long between two short regions.
  static constexpr uint64_t kRecentNs = 10'000'000;
  // A time slice of 3 to 4 ms for each of a dozen others. Four Python threads on two CPUs that spin for OpenBLAS's buffer
  // (bench/programs, torch_threads) were often not seen within 10 ms, and the teams polled: 1.3 times the time.
  static constexpr uint64_t kLatelyNs = 50'000'000;

  struct Others {
    int leading = 0;         // now
    int threads = 0;         // that their last regions had
    int threads_lately = 0;  // the same, of roots that led in the last kLatelyNs
  };

  // A line for one more root; kNone if all are taken.
  int enter() noexcept {
    for (int i = 0; i < kMost; ++i) {
      uint64_t free = kFree;
      if (word(i).load(std::memory_order_relaxed) == kFree &&
          word(i).compare_exchange_strong(free, kTaken, std::memory_order_relaxed)) {
        int used = used_.load(std::memory_order_relaxed);
        while (used <= i && !used_.compare_exchange_weak(used, i + 1, std::memory_order_relaxed)) {
        }
        return i;
      }
    }
    return kNone;
  }
  void leave(int root) noexcept { set(root, kFree); }
  // In a child of fork(), which has one thread.
  void forget() noexcept {
    for (int i = 0, used = used_.exchange(0, std::memory_order_relaxed); i < used; ++i) leave(i);
  }

  void region_begins(int root, uint64_t now, int threads) noexcept {
    const auto counted = static_cast<uint64_t>(std::min(threads, kMostThreads));
    set(root, now >> kUnitBits << kThreadBits | counted << 2 | kInRegion | kTaken);
  }
  void region_ends(int root) noexcept {
    if (root != kNone) set(root, word(root).load(std::memory_order_relaxed) & ~kInRegion);
  }

  Others others(int root, uint64_t now) const noexcept {
    Others found;
    for (int i = 0, used = used_.load(std::memory_order_relaxed); i < used; ++i) {
      const uint64_t seen = i == root ? kFree : look(i);
      if (!is_in_region(seen) && !began_after(seen, now - kLatelyNs)) continue;
      found.threads_lately += threads_of(seen);
      if (!is_in_region(seen) && !began_after(seen, now - kRecentNs)) continue;
      ++found.leading;
      found.threads += threads_of(seen);
    }
    return found;
  }
  // The part of so many CPUs that a root has beside these.
  static int part_of(int cpus, Others others) noexcept {
    return std::max({1, cpus / (1 + others.leading), cpus - others.threads});
  }

 private:
  // A word is 0, or `time of the last region << kThreadBits | its threads << 2 | in it << 1 | 1`. A unit of time is a
  // 38th of kRecentNs.
  static constexpr uint64_t kFree = 0, kTaken = 1, kInRegion = 2;
  static constexpr int kUnitBits = 18, kThreadBits = 16;
  static constexpr int kMostThreads = (1 << (kThreadBits - 2)) - 1;

  static bool is_in_region(uint64_t word) noexcept { return (word & kInRegion) != 0; }
  static bool began_after(uint64_t word, uint64_t time) noexcept {
    return word >> kThreadBits << kUnitBits > time;
  }
  static int threads_of(uint64_t word) noexcept {
    return static_cast<int>((word & ((uint64_t{1} << kThreadBits) - 1)) >> 2);
  }

  uint64_t look(int root) const noexcept {
    return lines_[static_cast<size_t>(root)].word.load(std::memory_order_relaxed);
  }
  plat::atomic<uint64_t>& word(int root) noexcept { return lines_[static_cast<size_t>(root)].word; }
  void set(int root, uint64_t value) noexcept {
    if (root != kNone) word(root).store(value, std::memory_order_relaxed);
  }

  struct alignas(kLine) Line {
    plat::atomic<uint64_t> word{kFree};
  };
  std::array<Line, kMost> lines_{};
  plat::atomic<int> used_{0};  // no line from here on was ever taken
};

// What follows is about the calling thread, a root, and the process's others.

// The roots that lead, as of the last kLookNs.
Leaders::Others other_leaders(uint64_t now) noexcept;
// A region of so many threads begins.
void begin_leading(int threads) noexcept;
void end_leading() noexcept;
// How such a region's threads wait.
const sync::PatienceLimits& limits_beside_others(int threads) noexcept;
// The root ends.
void leave_leaders() noexcept;
// In a child of fork(), whose only thread this is.
void forget_leaders() noexcept;

}  // namespace vicino::region
