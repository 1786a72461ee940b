// depth_front.hpp: D(m): a task takes along the descendants that become ready through it, up to m
// tasks.
//
// Why    Tasks that need each other's results run one after the other on one thread, and m bounds
//        how much they keep from other threads.
// Rule   Each aggregate starts from a ready task and takes tasks that become ready within it, a
//        level of its descendants after the other; in a level those first that have the most tasks
//        before them inside. Tasks that became ready and were not taken start aggregates later.
// Cost   one look at each edge; a sort of each level.
// Source Depth Front of Taggre (papers/taggre-nas, algorithm 1). There tasks released by a master
//        are put back into the list of the same depth although they were aggregated, and the loop
//        over a depth has emptied the list from which it then takes what was released:
//        docs/design/graphs.md.
//
// A task is taken only when all tasks before it were taken, by this aggregate or by an earlier one.
// So edges go from earlier aggregates to later ones, and no two wait for each other.
#pragma once

#include <algorithm>
#include <vector>

#include "graph/pass.hpp"

namespace vicino::graph {

struct DepthFront {
  static constexpr char kLetter = 'D';
  static constexpr std::string_view kName = "depth front";
  static constexpr std::string_view kSummary =
      "a task takes along descendants that become ready through it, up to this number";
  static constexpr std::string_view kParameter = "tasks per aggregate";

  static Rows group(const Graph& graph, uint32_t m) { return DepthFront(graph, m).run(); }

 private:
  DepthFront(const Graph& graph, uint32_t m)
      : graph_(graph), m_(m), missing_(graph.size()), group_of_(graph.size(), UINT32_MAX) {
    groups_.reserve(graph.size() / m, graph.size());
    for (uint32_t task = 0; task < graph.size(); ++task)
      if ((missing_[task] = graph.before().length(task)) == 0) ready_.push_back(task);
  }

  Rows run() {
    for (size_t next = 0; next < ready_.size(); ++next) aggregate(ready_[next]);
    return std::move(groups_);
  }

  void aggregate(uint32_t first) {
    uint32_t taken = 0;
    level_.assign(1, {first, 0, 0});
    while (!level_.empty() && taken < m_) {
      released_.clear();
      size_t place = 0;
      for (; place < level_.size() && taken < m_; ++place, ++taken) take(level_[place].task);
      for (; place < level_.size(); ++place) ready_.push_back(level_[place].task);
      count_inside(taken);
      level_.swap(released_);
    }
    for (const Candidate& left : level_) ready_.push_back(left.task);
    groups_.end_row();
  }

  void take(uint32_t task) {
    groups_.add(task);
    group_of_[task] = groups_.size();
    for (const uint32_t next : graph_.after(task))
      if (--missing_[next] == 0)
        released_.push_back({next, 0, static_cast<uint32_t>(released_.size())});
  }

  // Sorts what was released. Where it is all taken or all left the order does not matter.
  void count_inside(uint32_t taken) {
    if (released_.size() <= 1 || taken == m_) return;
    for (Candidate& candidate : released_)
      for (const uint32_t other : graph_.before(candidate.task))
        candidate.inside += group_of_[other] == groups_.size();
    std::sort(released_.begin(), released_.end());
  }

  // Not std::stable_sort(): see base/stable_sort.hpp, which is for short lists.
  struct Candidate {
    uint32_t task, inside, place;  // `inside`: tasks before it that are in the aggregate
    bool operator<(const Candidate& other) const noexcept {
      return inside != other.inside ? inside > other.inside : place < other.place;
    }
  };

  const Graph& graph_;
  const uint32_t m_;
  std::vector<uint32_t> missing_;   // tasks before it that were not taken
  std::vector<uint32_t> group_of_;  // the aggregate that took it
  std::vector<uint32_t>
      ready_;  // tasks that start aggregates, in the order in which they became ready
  std::vector<Candidate> level_, released_;
  Rows groups_;
};
static_assert(Pass<DepthFront>);

}  // namespace vicino::graph
