// cilk.hpp: random victims.
//
// Why    Work stealing as it was first analysed: a thread that has no task asks a thread drawn by
//        lot, and with high probability no thread is asked by many.
// Cost   a random number per attempt. After as many attempts as there are other threads it gives
//        up.
// Not    aware of the machine: half of what it steals on two packages comes from the other one.
// Source Blumofe and Leiserson, Scheduling Multithreaded Computations by Work Stealing (1999).
#pragma once

#include "task/scheduler.hpp"

namespace vicino::task {

struct Cilk {
  static constexpr std::string_view kName = "cilk";
  static constexpr std::string_view kSummary = "own tasks youngest first; victims drawn by lot";
  static constexpr QueueKind kQueue = QueueKind::kDeque;
  static constexpr bool kParentFirst = false;

  template <Ask F>
  static bool search(const Neighbours& near, F ask) {
    const auto others = near.others();
    for (size_t i = 0; i < others.size(); ++i)
      if (ask(others[static_cast<size_t>(plat::rnd() % others.size())])) return true;
    return false;
  }
};

}  // namespace vicino::task
