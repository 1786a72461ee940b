// work_first.hpp: victims in turn, from a random one on.
//
// Why    As cilk, but no thread is asked twice before all were asked, so one round sees all work.
// Cost   a random number per round.
// Not    aware of the machine.
// Source Duran, Corbalán and Ayguadé, Evaluation of OpenMP Task Scheduling Strategies (2008);
//        the paper on DFWSPT builds on it (papers/dfwspt, section V).
#pragma once

#include "task/scheduler.hpp"

namespace vicino::task {

struct WorkFirst {
  static constexpr std::string_view kName = "work_first";
  static constexpr std::string_view kSummary =
      "own tasks youngest first; victims in turn, from a random one on";
  static constexpr QueueKind kQueue = QueueKind::kDeque;

  template <Ask F>
  static bool search(const Neighbours& near, F ask) {
    return around(near.others(), ask);
  }
};

}  // namespace vicino::task
