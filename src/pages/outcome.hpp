// outcome.hpp: what became of arrays that one thread filled, also in words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "pages/moves.hpp"
#include "pages/times.hpp"

namespace vicino::pages {

struct Outcome {
  enum What : uint8_t { kKept, kNoGain, kTakenBack, kForced, kRemembered };
  What what;
  const void* function;  // of the region that was about to use them when they were moved
  Placement placement;
  uint64_t bytes;         // that were to move
  std::vector<int> from;  // the memory nodes on which they lay
  int nodes;              // over which they were placed
  uint64_t move_ns = 0;   // all moves together
  Times::Gain gain;
};
// "12.0 MiB that one thread filled lay on node 0: in blocks over 8 nodes in 0.78 ms; ..."
std::string in_words(const Outcome& outcome);

}  // namespace vicino::pages
