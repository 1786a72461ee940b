// core.hpp: how long a core waits for the lines that its caches miss (rules R10 to R13).
//
//  R10 Overlap. A core has `mlp` line buffers. A miss takes one for the latency that memory.hpp says,
//      and the core goes on; it waits only if no buffer is free, or if it is `window` instructions
//      ahead of a load that has no answer yet. With mlp 0 each miss is waited for.
//  R11 Streams. A miss of the line behind or before one that missed just now belongs to a stream.
//      The prefetcher has buffers of its own, mlp_stream of them: the core waits only if none is
//      free. So a stream runs at mlp_stream lines in the latency of one. The first two lines of a
//      stream are no stream yet. A core follows 16 streams at once. 0: there is no prefetcher.
//  R12 Dependence. A load near the address that an unanswered load will bring waits for that load:
//      a list is followed at one latency for each element. Near is from 64 bytes before it to 512
//      behind it. An index that was loaded is not recognised.
//  R13 Order. A line that another cache held modified, a store to a shared line, and a locked
//      instruction are waited for: what other CPUs write decides how a program goes on. A locked
//      instruction also waits for all that its core has asked for, and costs lat_atomic.
//
// Source  The window is the interval model's (Karkhanis, Smith, ISCA 2004): a core of out-of-order
//         execution does useful work under a miss until its reorder buffer is full.
// Not     instruction-level timing, speculation, a store buffer apart from the line buffers, banks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "locality/parameters.hpp"

namespace vicino::lab {

// A line that the caches of a core missed.
struct Miss {
  std::uint64_t latency;  // until the line is there
  bool load;
  bool in_order;          // R13
  bool locked;            // R13; the core's own lock prefix
  std::uint64_t line;     // virtual
  std::uint64_t address;  // virtual
  std::uint64_t value;    // what a load brings, as an address
};

class Core {
 public:
  explicit Core(const Parameters& parameters);

  // The core misses a line at `now` as its instruction number `insns`. Returns the stall in cycles.
  std::uint64_t miss(std::uint64_t now, std::uint64_t insns, const Miss& miss);

  // The core executes the instructions until number `insns`. Returns the stall in cycles (R10).
  std::uint64_t execute(std::uint64_t now, std::uint64_t insns) {
    return loads_ == 0 ? 0 : behind_window(now, insns);
  }

  // A locked instruction on a line that the core's L2 holds (R13).
  std::uint64_t locked_hit(std::uint64_t now) const;

 private:
  using Time = std::uint64_t;
  static constexpr std::size_t kMost = Parameters::kMostBuffers;

  // Line buffers: when each becomes free.
  class Buffers {
   public:
    explicit Buffers(std::size_t count) : count_(count) {}
    std::size_t count() const { return count_; }
    Time all_free() const;
    // The time at which the first one is free.
    Time& first();

   private:
    std::size_t count_;
    std::array<Time, kMost> free_{};
  };

  struct Load {  // without an answer yet
    Time done;
    std::uint64_t insns;
    std::uint64_t value;
  };
  struct Stream {
    std::uint64_t line = ~std::uint64_t{0};
    std::uint64_t length = 0;
    std::uint64_t used = 0;
  };

  bool in_stream(std::uint64_t line);
  Time answer_to(std::uint64_t address, Time now) const;
  std::uint64_t behind_window(Time now, std::uint64_t insns);
  void remember(const Load& load);

  std::uint64_t window_;
  std::uint64_t lat_atomic_;
  Buffers misses_;
  Buffers prefetches_;
  std::array<Load, kMost> open_{};  // a ring, in the order of the program
  std::size_t first_ = 0;
  std::size_t loads_ = 0;
  std::array<Stream, 16> streams_{};
  std::uint64_t uses_ = 0;
};

}  // namespace vicino::lab
