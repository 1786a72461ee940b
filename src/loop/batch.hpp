// batch.hpp: how many short chunks to claim at once.
//
// A batch is as many chunks as recently ran in about a microsecond. Other members cannot run the
// chunks of a batch, hence the microsecond: no imbalance that matters can hide in a batch, unless
// its chunks become a thousand times longer at once. Then the next batch is one chunk.
// Where many members claim from one place a claim may take longer than that, since they queue; then
// a batch is as many chunks as run in the time of a claim.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plat/plat.hpp"

namespace vicino::loop {

inline constexpr uint32_t kMaxBatch = 64;

// The size of the next batch, after a batch of `size` chunks that ran for `ran` nanoseconds. `claim`:
// how long its claim took, 0 if that is not known.
constexpr uint32_t next_batch(uint32_t size, uint64_t ran, uint64_t claim = 0) noexcept {
  const uint64_t aim = std::max<uint64_t>(claim, 1000);
  if (ran > aim) return ran > 2 * aim ? 1 : std::max(size / 2, 1u);
  return ran < aim / 2 ? std::min(size * 2, kMaxBatch) : size;
}

// The batches of one member.
struct Batch {
  uint64_t since = 0;  // when the last one was claimed; 0 before the first
  uint32_t size = 1;
  bool singly = false;  // each is one chunk

  // The last one has been used up. `claim`: as next_batch() has it.
  void renew(uint64_t now, uint64_t claim = 0) noexcept {
    if (since != 0) size = next_batch(size, now - since, claim);
    since = now;
  }
};

}  // namespace vicino::loop
