// moves.hpp: which pages go to which nodes, in parts that can be moved one after the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pages/arrays.hpp"
#include "topo/pages.hpp"

namespace vicino::pages {

// How pages may lie.
enum class Placement : uint8_t {
  kBlocks,      // an array's part i of n on the node of member i of n, as a static loop touches it
  kInterleaved  // large pages around all nodes in turn
};

// All of the arrays' whole pages. `owners`: the memory node of each member.
std::vector<topo::PageRun> runs_of(Placement placement, std::span<const Array> arrays,
                                   std::span<const int> owners, size_t page);

// Of runs of pages, arrays or mappings.
template <class Ranges>
uint64_t bytes_of(const Ranges& ranges) {
  uint64_t bytes = 0;
  for (const auto& range : ranges) bytes += range.end - range.begin;
  return bytes;
}

// Parts first to last - 1 of kParts of the runs. Each part has pages of all over each run, so that it shows
// what all would gain: one page in kParts, or of a long run one large page.
inline constexpr int kParts = 8;
std::vector<topo::PageRun> parts_of(std::span<const topo::PageRun> runs, int first, int last,
                                    size_t page);

// The runs of one node in pieces, each for one thread and one system call: of at most 2 MiB, which the kernel takes at
// once, and of at most half of the runs, so that two threads move them.
std::vector<std::vector<topo::PageRun>> pieces_of(std::span<const topo::PageRun> runs, size_t page);

}  // namespace vicino::pages
