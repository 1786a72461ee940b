// dfwsrpt.hpp: the suspended parent (work_first.hpp), then victims nearest first, in turn from a
// random one on among equally near ones.
//
// Why    As dfwspt, without its crowding: under dfwspt all threads of a cache group have the same
//        list and ask its first thread.
// Cost   a random number per distance.
// Source Tahan, Towards Efficient OpenMP Strategies for Non-Uniform Architectures (2014), DFWSRPT.
#pragma once

#include "task/scheduler.hpp"

namespace vicino::task {

struct Dfwsrpt {
  static constexpr std::string_view kName = "dfwsrpt";
  static constexpr std::string_view kSummary =
      "own tasks youngest first; the suspended parent, then victims by distance, in random turn "
      "among equally near ones";
  static constexpr QueueKind kQueue = QueueKind::kDeque;
  static constexpr bool kParentFirst = true;

  template <Ask F>
  static bool search(const Neighbours& near, F ask) {
    for (int k = 0; k < near.classes(); ++k)
      if (around(near.others(k), ask)) return true;
    return false;
  }
};

}  // namespace vicino::task
