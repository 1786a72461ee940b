// continuation.hpp: C: tasks with consecutive numbers that go on from each other become one
// aggregate.
//
// Why    Numbers are the order of the data: task i works on row i. A thread that runs i, i + 1, ...
//        reads its data one behind the other.
// Rule   A ready task takes the one with the next number, if that comes after it and has become
//        ready; that one takes the next, and so on. On a grid of n x n x n cells, numbered along z
//        first, where a cell needs its lower neighbours, the aggregates are the n x n columns of n
//        cells.
// Not    for graphs whose numbers mean nothing: few tasks then join others. Nested dissection
//        leaves only short lines.
// Cost   one look at each edge.
// Source Continuation Oriented of Taggre (papers/taggre-nas, section III.A.4), which gives what
//        comes out for a cube and no algorithm.
//
// As in depth_front.hpp a task is taken only when all tasks before it were taken. So edges go from
// earlier aggregates to later ones. Where all edges go from higher numbers to lower ones, as in a
// backward solve, the next number is the next lower one.
#pragma once

#include <algorithm>
#include <vector>

#include "graph/pass.hpp"

namespace vicino::graph {

struct Continuation {
  static constexpr char kLetter = 'C';
  static constexpr std::string_view kName = "continuation oriented";
  static constexpr std::string_view kSummary =
      "consecutive tasks that go on from each other become one aggregate";
  static constexpr std::string_view kParameter = "";

  static Rows group(const Graph& graph, uint32_t) {
    const uint32_t n = graph.size();
    const bool falls = n > 0 && graph.in_order(0) > graph.in_order(n - 1);
    std::vector<uint32_t> missing(n), ready;  // tasks that start aggregates
    for (uint32_t task = 0; task < n; ++task)
      if ((missing[task] = graph.before().length(task)) == 0) ready.push_back(task);
    Rows groups;
    groups.reserve(0, n);
    for (size_t i = 0; i < ready.size(); ++i) {
      for (uint32_t task = ready[i], next = n;; task = next, next = n) {
        groups.add(task);
        const uint32_t follower = falls ? task - 1 : task + 1;
        for (const uint32_t other : graph.after(task)) {
          if (--missing[other] != 0) continue;
          if (other == follower)
            next = other;
          else
            ready.push_back(other);
        }
        if (next == n) break;
      }
      groups.end_row();
    }
    return groups;
  }
};
static_assert(Pass<Continuation>);

}  // namespace vicino::graph
