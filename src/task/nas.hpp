// nas.hpp: one queue per NUMA node.
//
// Why    A task that says what it works on (its affinity clause) waits at the node where that lies,
//        and threads of that node take it from there. One that says nothing goes to the nodes in
//        turn, which spreads work over the machine.
// Cost   a lock per task, shared by a node; with affinity, asking the kernel where the page lies.
// Not    for tasks below some ten microseconds.
// Source NUMA-aware scheduling of the Taggre framework (papers/taggre-nas): the container per node,
//        affinity, round robin; a thread whose node has none asks the nearest nodes.
#pragma once

#include "task/scheduler.hpp"

namespace vicino::task {

struct Nas {
  static constexpr std::string_view kName = "nas";
  static constexpr std::string_view kSummary =
      "a queue per NUMA node: tasks go to their affinity's node, or to the nodes in turn";
  static constexpr Home kHome = Home::kNode;

  template <Ask F>
  static bool search(const Neighbours&, F) {
    return false;
  }
};

}  // namespace vicino::task
