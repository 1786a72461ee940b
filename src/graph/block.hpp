// block.hpp: B(n): tasks that follow each other in the order of one thread become blocks of at most
// n.
//
// Why    The order of one thread is the order of the data: a sweep reads memory as one stream, for
//        which the processor looks ahead. Aggregates that are chosen by depth give up that order, and may
//        cost twice the time for each task. A block is a piece of the same sweep.
// Rule   The tasks are taken in an order in which one thread may run them: their numbers, if the
//        edges allow it. A task joins the block of the one before it if the block has fewer than n
//        tasks and the task comes after one of them. So a block ends where something new begins:
//        on a grid that is numbered along z first, at the end of each plane. Otherwise each block
//        would wait for the one before it, and none could run beside another.
// Not    for few tasks in each plane, or many threads: a thread follows another one's plane at a
//        distance of a block.
// Cost   one look at each edge.
// Source ours.
//
// Blocks are intervals of an order in which the tasks may run: every edge goes to the same block or
// to a later one.
#pragma once

#include <algorithm>
#include <vector>

#include "graph/pass.hpp"

namespace vicino::graph {

struct Block {
  static constexpr char kLetter = 'B';
  static constexpr std::string_view kName = "block";
  static constexpr std::string_view kSummary =
      "tasks that follow each other in one thread's order become blocks of at most this number";
  static constexpr std::string_view kParameter = "tasks per block";

  static Rows group(const Graph& graph, uint32_t n) {
    const uint32_t tasks = graph.size();
    std::vector<uint32_t> block_of(tasks, tasks);
    Rows groups;
    groups.reserve(tasks / n + 1, tasks);
    uint32_t block = 0, length = 0;  // of the last one
    for (uint32_t place = 0; place < tasks; ++place) {
      const uint32_t task = graph.in_order(place);
      const auto is_in_block = [&](uint32_t other) { return block_of[other] == block; };
      if (length > 0 && (length == n || std::ranges::none_of(graph.before(task), is_in_block))) {
        groups.end_row();
        ++block;
        length = 0;
      }
      block_of[task] = block;
      groups.add(task);
      ++length;
    }
    if (length > 0) groups.end_row();
    return groups;
  }
};
static_assert(Pass<Block>);

}  // namespace vicino::graph
