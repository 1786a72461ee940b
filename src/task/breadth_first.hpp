// breadth_first.hpp: one queue for the team.
//
// Why    The plainest scheduler: tasks run in the order in which they were generated, on any thread
//        that is free. Good for few, large and equal tasks; the yardstick for the others.
// Cost   a lock per task, taken by all threads.
// Not    for recursion: the whole breadth of the tree is alive at once.
// Source Duran, Corbalán and Ayguadé, Evaluation of OpenMP Task Scheduling Strategies (2008).
#pragma once

#include "task/scheduler.hpp"

namespace vicino::task {

struct BreadthFirst {
  static constexpr std::string_view kName = "breadth_first";
  static constexpr std::string_view kSummary = "one queue for the team, oldest first";
  static constexpr QueueKind kQueue = QueueKind::kTeam;
  static constexpr bool kParentFirst = false;

  // There is no deque to steal from: tasks wait in the team's queue (Shared).
  template <Ask F>
  static bool search(const Neighbours&, F) {
    return false;
  }
};

}  // namespace vicino::task
