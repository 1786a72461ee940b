// file.hpp: a graph with its costs, aggregates and nodes as a file.
//
// Format 1. Numbers are of 4 bytes and as the machine that wrote them has them, except where
// something else is said.
//
//   offset  content
//        0  "VicinoG\n"
//        8  0x01020304: shows the order of the bytes in a number
//       12  version of the format: 1
//       16  checksum of all that follows (8 bytes): hash_by_words() of base/hash.hpp, over bytes 24
//           to 40 and then over each array
//       24  n: tasks
//       28  e: edges
//       32  a: aggregates
//       36  which arrays there are: 1 costs, 2 nodes and strict flags
//       40  where the row of each task begins in the next array, and its end: n + 1 numbers
//           tasks that come before each task: e numbers
//           costs, as floats: n numbers, if they are there
//           where the row of each aggregate begins in the next array, and its end: a + 1 numbers
//           tasks of each aggregate, in the order in which they run: n numbers
//           node of each aggregate, with a sign, below 0 for none: a numbers, if they are there
//           whether each aggregate is strict: a single bytes, 0 or 1, if nodes are there
//
// The arrays lie one behind the other, and the file has no other bytes. Version and order of bytes
// stay where they are in each future format, so that an old Vicino can say what it cannot read.
//
// What a file holds is not trusted: its length must be what its header says before any memory is
// taken, so no more is taken than a small multiple of the file; then come the checksum, the rows,
// and all that Graph::from() and coarse_of() refuse. The checksum is no protection against
// attackers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "graph/coarse.hpp"
#include "graph/graph.hpp"
#include "graph/rows.hpp"

namespace vicino::graph {

inline constexpr int32_t kMostNodes = 1 << 15;  // nodes are counted from 0

struct Saved {
  Graph graph;    // of the tasks
  Coarse coarse;  // of the aggregates
  // Of each aggregate; both are empty if no aggregate has a node.
  std::vector<int32_t> node;    // less than 0: none. This machine may have fewer nodes.
  std::vector<uint8_t> strict;  // 1: it runs on its node only; 0
};

// The error's text is empty on success, and names the file. A file that is there is replaced, or
// kept as it is if anything fails. `node` and `strict`: as in Saved.
Error save(const Graph& graph, const Rows& aggregates, std::span<const int32_t> node,
           std::span<const uint8_t> strict, const std::string& path);
inline Error save(const Saved& saved, const std::string& path) {
  return save(saved.graph, saved.coarse.tasks, saved.node, saved.strict, path);
}

// The error names the file. Throws std::bad_alloc.
Result<Saved> load(const std::string& path);

}  // namespace vicino::graph
