// work_first.hpp: the suspended parent, then victims in turn, from a random one on.
//
// Why    A thread that has run a child goes on with the child's parent. If a thief has taken the
//        parent meanwhile, the thief is asked first: what the parent works on is still in this
//        thread's cache. Otherwise as cilk, but no thread is asked twice before all were asked, so
//        one round sees all work.
// Cost   a random number per round.
// Not    aware of the machine.
// Source Duran, Corbalán and Ayguadé, Evaluation of OpenMP Task Scheduling Strategies (2008);
//        the paper on DFWSPT builds on it (papers/dfwspt, section V). Asking the thief first:
//        Wagner and Calder, Leapfrogging: A Portable Technique for Implementing Efficient Futures
//        (1993).
#pragma once

#include "task/scheduler.hpp"

namespace vicino::task {

struct WorkFirst {
  static constexpr std::string_view kName = "work_first";
  static constexpr std::string_view kSummary =
      "own tasks youngest first; the suspended parent, then victims in turn, from a random one on";
  static constexpr QueueKind kQueue = QueueKind::kDeque;
  static constexpr bool kParentFirst = true;

  template <Ask F>
  static bool search(const Neighbours& near, F ask) {
    return around(near.others(), ask);
  }
};

}  // namespace vicino::task
