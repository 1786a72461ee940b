// dfwspt.hpp: the suspended parent (work_first.hpp), then victims in a fixed list, nearest first.
//
// Why    Depth-first work stealing with a priority list of victims: what a near thread works on
//        lies in caches and memory that are near.
// Cost   none per attempt; the list is made once per team.
// Not    fair: the thread that comes first in many lists is asked by many. See dfwsrpt.hpp.
// Source Tahan, Towards Efficient OpenMP Strategies for Non-Uniform Architectures (2014), DFWSPT.
#pragma once

#include "task/scheduler.hpp"

namespace vicino::task {

struct Dfwspt {
  static constexpr std::string_view kName = "dfwspt";
  static constexpr std::string_view kSummary =
      "own tasks youngest first; the suspended parent, then victims by distance and thread number";
  static constexpr QueueKind kQueue = QueueKind::kDeque;
  static constexpr bool kParentFirst = true;

  template <Ask F>
  static bool search(const Neighbours& near, F ask) {
    for (const int victim : near.others())
      if (ask(victim)) return true;
    return false;
  }
};

}  // namespace vicino::task
