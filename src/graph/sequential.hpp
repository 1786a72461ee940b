// sequential.hpp: S: a task joins the one before it if neither has another neighbour on that side.
//
// Why    Such tasks run one after the other anyway; what they share is then still in the cache, and
//        only one of them is managed.
// Cost   one look at each task.
// Source Sequential of Taggre (papers/taggre-nas, section III.A.1)
#pragma once

#include "graph/pass.hpp"

namespace vicino::graph {

struct Sequential {
  static constexpr char kLetter = 'S';
  static constexpr std::string_view kName = "sequential";
  static constexpr std::string_view kSummary =
      "a task joins its only predecessor if it is that one's only successor";
  static constexpr std::string_view kParameter = "";

  static Rows group(const Graph& graph, uint32_t) {
    const auto goes_on = [&graph](uint32_t task) {  // whether the task's only successor joins it
      const auto after = graph.after(task);
      return after.size() == 1 && graph.before(after[0]).size() == 1;
    };
    const auto joins = [&](uint32_t task) {
      const auto before = graph.before(task);
      return before.size() == 1 && goes_on(before[0]);
    };
    Rows groups;
    groups.reserve(graph.size(), graph.size());
    for (uint32_t first = 0; first < graph.size(); ++first) {
      if (joins(first)) continue;
      groups.add(first);
      for (uint32_t task = first; goes_on(task);) groups.add(task = graph.after(task)[0]);
      groups.end_row();
    }
    return groups;
  }
};
static_assert(Pass<Sequential>);

}  // namespace vicino::graph
