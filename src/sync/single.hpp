// single.hpp: which member of a team runs a `single`: the first to come.
//
// All members meet the singles of a region in the same order, and each member counts them. The
// team's count says how many singles have been taken; the member that moves it from its own number
// to the next runs that single.
//
// Memory order: relaxed. Taking a single orders nothing; the barrier after it does. A stale load is
// harmless: by coherence a member sees nothing older than its own last single, which it took or
// found taken, so the count that it sees is at least its own number.
#pragma once

#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::sync {

class SingleCount {
 public:
  // For a member that has met `mine` singles before this one, in a team of `members`.
  bool take(uint64_t mine, int members) noexcept {
    // In a small team a load before the CAS costs the winner a second transfer of the line; in a
    // large one it saves each of the many members that come too late a transfer.
    constexpr int kSmall = 8;
    if (members > kSmall && taken_.load(std::memory_order_relaxed) != mine) return false;
    return taken_.compare_exchange_strong(mine, mine + 1, std::memory_order_relaxed);
  }

  // Between regions.
  void reset() noexcept { taken_.store(0, std::memory_order_relaxed); }

 private:
  plat::atomic<uint64_t> taken_{0};
};

}  // namespace vicino::sync
