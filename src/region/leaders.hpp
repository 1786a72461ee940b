// leaders.hpp: how the process's CPUs are divided among those of its threads that lead teams.
//
// Why    Each root's team is as large as the machine. Where several have regions at the same time, their threads are
//        switched in and out and wait for each other's turns, as those of several processes do (room.hpp). But here
//        nothing has to be guessed: the roots tell each other what they do.
// Rule   A root gets an equal part of the CPUs among the roots that lead now, or what the others leave, if that is more.
//        It leads now if it is in a region, or began one in the last kRecentNs: a root between two regions is about to
//        begin the next, and one that has gone on to something else leaves its part to the others.
// Cost   a store at the beginning of a region and one at its end, to a line of the root's own; every kLookNs a look at
//        the lines of all.
// Not    more than kMost roots: a root that finds no line counts itself, and all others as leading.
//
// Memory order: all relaxed. Any number of threads is right; what is read late is read again kLookNs later.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/line.hpp"
#include "plat/plat.hpp"

namespace vicino::region {

class Leaders {
 public:
  static constexpr int kMost = 64;
  static constexpr int kNone = -1;
  // As long as two time slices: a thread that shares its CPU with others takes so long between two short regions.
  static constexpr uint64_t kRecentNs = 10'000'000;

  struct Others {
    int leading = 0;
    int threads = 0;  // that their last regions had
  };

  // A line for one more root; kNone if all are taken.
  int enter() noexcept {
    for (int i = 0; i < kMost; ++i) {
      uint64_t free = kFree;
      if (word(i).load(std::memory_order_relaxed) == kFree &&
          word(i).compare_exchange_strong(free, kTaken, std::memory_order_relaxed))
        return i;
    }
    return kNone;
  }
  void leave(int root) noexcept { set(root, kFree); }
  // In a child of fork(), which has one thread.
  void forget() noexcept {
    for (int i = 0; i < kMost; ++i) leave(i);
  }

  void region_begins(int root, uint64_t now, int threads) noexcept {
    set(root, now >> kUnitBits << kThreadBits | static_cast<uint64_t>(threads) << 2 | kInRegion | kTaken);
  }
  void region_ends(int root) noexcept {
    if (root != kNone) set(root, word(root).load(std::memory_order_relaxed) & ~kInRegion);
  }

  Others others(int root, uint64_t now) const noexcept {
    if (root == kNone) return {kMost, kMost};
    Others found;
    for (int i = 0; i < kMost; ++i) {
      if (i == root) continue;
      const uint64_t seen = lines_[static_cast<size_t>(i)].word.load(std::memory_order_relaxed);
      const bool leads = (seen & kInRegion) != 0 ||
                         (seen >> kThreadBits != 0 && (seen >> kThreadBits << kUnitBits) + kRecentNs > now);
      if (!leads) continue;
      ++found.leading;
      found.threads += static_cast<int>((seen & ((uint64_t{1} << kThreadBits) - 1)) >> 2);
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

  plat::atomic<uint64_t>& word(int root) noexcept { return lines_[static_cast<size_t>(root)].word; }
  void set(int root, uint64_t value) noexcept {
    if (root != kNone) word(root).store(value, std::memory_order_relaxed);
  }

  struct alignas(kLine) Line {
    plat::atomic<uint64_t> word{kFree};
  };
  std::array<Line, kMost> lines_{};
};

}  // namespace vicino::region
