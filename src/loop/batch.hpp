// batch.hpp: how many short chunks to claim at once.
//
// A batch is as many chunks as recently ran in about a microsecond. Other members cannot run the
// chunks of a batch, hence the microsecond: no imbalance that matters can hide in a batch, unless
// its chunks become a thousand times longer at once. Then the next batch is one chunk.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::loop {

inline constexpr uint32_t kMaxBatch = 64;

// The size of the next batch, after a batch of `size` chunks that was claimed at time `since` (0:
// there was none). Sets `since` to now.
inline uint32_t next_batch(uint32_t size, uint64_t& since) noexcept {
  constexpr uint64_t kNs = 1000;
  const uint64_t time = plat::now();
  const uint64_t ran = time - since;
  const bool first = since == 0;
  since = time;
  if (first) return size;
  if (ran > kNs) return ran > 2 * kNs ? 1 : std::max(size / 2, 1u);
  return ran < kNs / 2 ? std::min(size * 2, kMaxBatch) : size;
}

}  // namespace vicino::loop
