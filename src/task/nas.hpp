// nas.hpp: one queue per NUMA node.
//
// Why    A task of which it is known where its data are, by an affinity clause or as a taskloop's,
//        waits at that node, and threads of the node take it from there. The others go to the nodes
//        in turn, which spreads work over the machine.
// Cost   a lock per task, shared by a node; a system call for an affinity clause.
// Not    for tasks below some ten microseconds; and no promise: a thread whose node has none takes
//        others' (team/ready.cpp). Insisting would have threads wait for each other for ever: one
//        in a taskwait runs none but descendants, and those of its own may lie with one like it.
// Source NUMA-aware scheduling of the Taggre framework (papers/taggre-nas): the container per node,
//        flexible affinity, round robin for what has none, the nearest nodes first.
#pragma once

#include "task/scheduler.hpp"

namespace vicino::task {

struct Nas {
  static constexpr std::string_view kName = "nas";
  static constexpr std::string_view kSummary =
      "a queue per NUMA node: tasks go to the node of their data if that is known, else in turn";
  static constexpr Home kHome = Home::kNode;

  template <Ask F>
  static bool search(const Neighbours&, F) {
    return false;
  }
};

}  // namespace vicino::task
