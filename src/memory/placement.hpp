// placement.hpp: on which memory nodes an allocator's pages lie.
#pragma once

#include <cstddef>

#include "memory/traits.hpp"

namespace vicino::topo {
class Machine;
}

namespace vicino::memory {

// Whether memory with this description has to be placed where several nodes have memory.
constexpr bool asks_for_nodes(const Description& description) {
  return description.traits.partition != Partition::kEnvironment ||
         description.space == Space::kHighBandwidth || description.space == Space::kLargeCap;
}
// Whether this process may use the memory of several nodes; asked of the kernel once.
bool may_place() noexcept;

// Places the whole pages inside [start, start + bytes), which no thread has touched yet. Where the
// kernel refuses, the pages stay usable and lie where they are first touched.
//  nearest      on the node nearest to the calling thread
//  blocked      one block of consecutive pages for each node of the space
//  interleaved  page by page over the nodes of the space
//  environment  for a special space, as nearest; otherwise the kernel's choice
// The nodes of the high-bandwidth and the large-capacity space are those with such memory. If there
// is none, and for the other spaces, they are the nodes with plain memory.
void place(const topo::Machine& machine, const Description& description, void* start, size_t bytes);

}  // namespace vicino::memory
