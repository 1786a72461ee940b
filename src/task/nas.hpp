// nas.hpp: one queue per near domain of the machine (Machine::near_level()): a NUMA node, or a group of CPUs that share
// a cache where a node has several of them.
//
// Why    If the domain of a task's data is known, from an affinity clause or because the task belongs
//        to a taskloop, the task waits there, and threads of the domain take it. Where a node has
//        several groups, each of its pages has one of them, so that tasks for the same data meet in
//        one cache. Other tasks go to the domains in turn, which spreads work over the machine.
// Cost   a lock per task, shared by a domain; a system call for an affinity clause.
// Not    for tasks below some ten microseconds; and no promise: a thread whose domain has no task
//        takes tasks of others (tasking/ready.cpp). If it could not, threads might wait for each
//        other for ever: a thread in a taskwait runs only descendants, and these may lie at the
//        domain of another thread that waits in the same way.
// Source NUMA-aware scheduling of the Taggre framework (papers/taggre-nas): the container per node,
//        flexible affinity, round robin for tasks without affinity, the nearest nodes first.
#pragma once

#include "task/scheduler.hpp"

namespace vicino::task {

struct Nas {
  static constexpr std::string_view kName = "nas";
  static constexpr std::string_view kSummary =
      "a queue per NUMA node or cache group: tasks go to that of their data if known, else in turn";
  static constexpr QueueKind kQueue = QueueKind::kDomain;
  static constexpr bool kParentFirst = false;

  template <Ask F>
  static bool search(const Neighbours&, F) {
    return false;
  }
};

}  // namespace vicino::task
