// tree.hpp: T(n): subtrees of the elimination tree become aggregates of up to n tasks.
//
// Why    In a nested-dissection order a part of the data has nothing to do with another part until
//        the separator between them, and its tasks follow each other in memory. Passes that go
//        through the graph by depth mix the parts. This one keeps each part together, so that
//        threads work on different parts, each in the serial order.
// Rule   The elimination tree gives each task at most one parent, such that all tasks after a task
//        are its ancestors. A task joins the subtrees below it if all together are at most n tasks.
//        If not, they are aggregates of their own, several of them together if these are at most
//        n tasks; only subtrees of less than n / 16 tasks join the task even so. Above such
//        aggregates a task joins its child if that is the only one that is not a whole subtree.
//        The edges the other way round give another tree. The lower one is taken: in a backward
//        solve it is the one of the forward solve.
// Not    for orders in which each task soon comes after the one before it, as natural orders of
//        grids: their tree is a chain, and so are the aggregates.
// Cost   a few looks at each edge, as in union-find with path compression.
// Source Liu, The role of elimination trees in sparse factorization, SIAM J. Matrix Anal. Appl. 11
//        (1990), for the tree; it is not a pass of Taggre.
//
// An aggregate is connected in the tree, or consists of whole subtrees, which wait for nothing
// else. All edges go to ancestors. So edges between aggregates go up the tree, and no two wait for
// each other.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "graph/pass.hpp"

namespace vicino::graph {

// The elimination tree of a graph, or of the same tasks with all edges the other way round.
class EliminationTree {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  EliminationTree(const Graph& graph, bool turned)
      : graph_(graph), turned_(turned), parent_(graph.size(), kNone) {
    std::vector<uint32_t> above(graph.size(), kNone);  // an ancestor, as far up as is known
    for (uint32_t place = 0; place < graph.size(); ++place)
      for (const uint32_t other : before(task(place))) link(above, other, task(place));
    std::vector<uint32_t> height(graph.size());
    for (uint32_t place = 0; place < graph.size(); ++place) {
      const uint32_t its = ++height[task(place)], up = parent_[task(place)];
      height_ = std::max(height_, its);
      if (up != kNone) height[up] = std::max(height[up], its);
    }
  }

  // The lower one of the two.
  static EliminationTree lower_of(const Graph& graph) {
    EliminationTree as_is(graph, false), turned(graph, true);
    return turned.height() < as_is.height() ? std::move(turned) : std::move(as_is);
  }

  // The task at a place of an order in which each comes before its parent.
  uint32_t task(uint32_t place) const noexcept {
    return graph_.in_order(turned_ ? graph_.size() - 1 - place : place);
  }
  uint32_t parent(uint32_t task) const noexcept { return parent_[task]; }
  uint32_t height() const noexcept { return height_; }  // in tasks

 private:
  std::span<const uint32_t> before(uint32_t task) const noexcept {
    return turned_ ? graph_.after(task) : graph_.before(task);
  }
  // The root above `from` becomes a child of `to`.
  void link(std::vector<uint32_t>& above, uint32_t from, uint32_t to) {
    while (above[from] != kNone && above[from] != to) from = std::exchange(above[from], to);
    if (above[from] == kNone) above[from] = parent_[from] = to;
  }

  const Graph& graph_;
  bool turned_;
  std::vector<uint32_t> parent_;
  uint32_t height_ = 0;
};

struct Tree {
  static constexpr char kLetter = 'T';
  static constexpr std::string_view kName = "tree";
  static constexpr std::string_view kSummary =
      "subtrees of the elimination tree become aggregates of up to this number of tasks";
  static constexpr std::string_view kParameter = "tasks per aggregate";

  static Rows group(const Graph& graph, uint32_t n) { return Tree(graph, n).run(); }

 private:
  static constexpr uint32_t kNone = EliminationTree::kNone;
  static constexpr uint32_t kSmall = 16;  // subtrees of n / kSmall tasks join what is above them

  Tree(const Graph& graph, uint32_t n)
      : graph_(graph),
        n_(n),
        tree_(EliminationTree::lower_of(graph)),
        first_child_(graph.size(), kNone),
        next_child_(graph.size(), kNone),
        size_(graph.size(), 1),
        is_whole_(graph.size(), true),
        leader_(graph.size(), kNone) {}

  Rows run() {
    for (uint32_t place = graph_.size(); place > 0; --place) {
      const uint32_t task = tree_.task(place - 1), up = tree_.parent(task);
      uint32_t& first = up != kNone ? first_child_[up] : first_root_;
      next_child_[task] = std::exchange(first, task);
    }
    for (uint32_t place = 0; place < graph_.size(); ++place) add(tree_.task(place));
    close(first_root_, [](uint32_t) { return false; });
    return rows();
  }

  template <class Act>
  void each_child(uint32_t first, Act act) const {
    for (uint32_t child = first; child != kNone; child = next_child_[child]) act(child);
  }

  // What is below the task has been added.
  void add(uint32_t task) {
    uint64_t all = 1;
    uint32_t cut = 0;  // children that are not whole subtrees
    each_child(first_child_[task], [&](uint32_t child) {
      all += size_[child];
      cut += !is_whole_[child];
    });
    if (cut == 0 && all <= n_) {
      size_[task] = static_cast<uint32_t>(all);
      return;
    }
    is_whole_[task] = false;
    close(first_child_[task], [&](uint32_t child) {
      const bool may_join = is_whole_[child] ? size_[child] <= n_ / kSmall : cut == 1;
      const bool joins = may_join && size_[task] + uint64_t{size_[child]} <= n_;
      if (joins) size_[task] += size_[child];
      return joins;
    });
  }

  // Makes aggregates of children that do not join their parent.
  template <class Joins>
  void close(uint32_t first, Joins joins) {
    uint32_t leader = kNone;  // of whole subtrees that are an aggregate together
    uint64_t together = 0;
    each_child(first, [&](uint32_t child) {
      if (joins(child)) return;
      leader_[child] = child;
      if (!is_whole_[child]) return;
      together += size_[child];
      if (leader == kNone || together > n_) {
        leader = child;
        together = size_[child];
      }
      leader_[child] = leader;
    });
  }

  // Aggregates are numbered as their leaders are ordered: then edges go from lower to higher ones.
  Rows rows() {
    const uint32_t tasks = graph_.size();
    std::vector<uint32_t> number(tasks);  // of each leader's aggregate
    uint32_t aggregates = 0;
    for (uint32_t place = 0; place < tasks; ++place) {
      const uint32_t task = graph_.in_order(place);
      if (leader_[task] == task) number[task] = aggregates++;
    }
    for (uint32_t place = tasks; place > 0; --place) {
      const uint32_t task = tree_.task(place - 1);
      if (leader_[task] == kNone) leader_[task] = leader_[tree_.parent(task)];
    }
    std::vector<uint32_t> row_of(tasks);  // by the place in the graph's order
    for (uint32_t place = 0; place < tasks; ++place)
      row_of[place] = number[leader_[graph_.in_order(place)]];
    const Rows places = sorted_into_rows(row_of, aggregates);
    Rows groups;
    groups.reserve(aggregates, tasks);
    for (uint32_t group = 0; group < aggregates; ++group) {
      for (const uint32_t place : places[group]) groups.add(graph_.in_order(place));
      groups.end_row();
    }
    return groups;
  }

  const Graph& graph_;
  const uint32_t n_;
  const EliminationTree tree_;
  std::vector<uint32_t> first_child_, next_child_;
  uint32_t first_root_ = kNone;
  std::vector<uint32_t> size_;    // tasks of the aggregate below and with it that is not closed
  std::vector<bool> is_whole_;    // all below the task is in that aggregate
  std::vector<uint32_t> leader_;  // kNone: the task is in its parent's aggregate
};
static_assert(Pass<Tree>);

}  // namespace vicino::graph
