// function.hpp: a function of MPI: its name, and what a call of it costs if nobody has to be waited
// for.
//
// Waiting  A call's time is transfer and waiting, and MPI does not tell them apart. The rule is:
//            waiting = time inside - min(least, bound)
//          least: the least time that this process has seen in a call of the function of the same
//          size
//                 class (log2 of the bytes), this call included;
//          bound: 50 us + 1 ns for each byte (1 GB/s).
// Why      The least time comes from a call that found everybody there. The bound is for a rank
//          that never has such a call: one that waits 10 ms each time must not take 10 ms for the
//          cost. A network that needs more than the bound is slow: then some transfer counts as
//          waiting.
// Error    At most the bound, on either side.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

namespace vicino::pmpi {

class Function {
 public:
  // `name` lives as long as the process.
  constexpr explicit Function(const char* name) noexcept : name_(name) {}

  const char* name() const noexcept { return name_; }

  // What of a call's time was waiting. Relaxed: a lost race leaves a least time that another call
  // has taken, and nothing else hangs on it.
  uint64_t waiting(uint64_t ns, uint64_t bytes) noexcept {
    std::atomic<uint64_t>& least = least_[std::bit_width(bytes)];
    uint64_t known = least.load(std::memory_order_relaxed);
    if (known == 0 || ns < known) {
      known = std::max<uint64_t>(ns, 1);  // 0: no call yet
      least.store(known, std::memory_order_relaxed);
    }
    const uint64_t cost = std::min(known, kBoundNs + bytes);
    return ns > cost ? ns - cost : 0;
  }

  static constexpr uint64_t kBoundNs = 50'000;

 private:
  const char* name_;
  std::atomic<uint64_t> least_[65] = {};
};

}  // namespace vicino::pmpi
