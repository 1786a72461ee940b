// single.hpp: which member of a team runs a `single`: the first to come.
//
// All members meet the singles of a region in the same order and each counts them. The team's count
// is how many have been taken; whoever moves it from its own number to the next has that one.
//
// Memory order: relaxed. Taking a single orders nothing; the barrier after it does. A stale look is
// harmless: coherence lets a member see nothing older than its own last single, which it took or
// found taken, so the count it sees is at least its own number.
#pragma once

#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::sync {

class SingleCount {
 public:
  // For a member that has met `mine` singles before this one, in a team of `members`.
  bool take(uint64_t mine, int members) noexcept {
    // In a small team a look before the CAS costs the winner a second transfer of the line; in a
    // large one it spares the many who come too late one each.
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
