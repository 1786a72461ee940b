// registry.hpp: every task scheduler, one row each.
#pragma once

#include <array>
#include <string_view>
#include <tuple>

#include "task/breadth_first.hpp"
#include "task/cilk.hpp"
#include "task/dfwspt.hpp"
#include "task/dfwsrpt.hpp"
#include "task/nas.hpp"
#include "task/work_first.hpp"

namespace vicino::task {

using Schedulers = std::tuple<BreadthFirst, Cilk, WorkFirst, Dfwspt, Dfwsrpt, Nas>;

// The scheduler when VICINO_TASKS is unset.
using DefaultScheduler = Dfwsrpt;

struct Row {
  std::string_view name, summary;
  QueueKind queue;
};

inline constexpr auto kRows = []<class... S>(std::tuple<S...>*) {
  static_assert((TaskScheduler<S> && ...));
  return std::array{Row{S::kName, S::kSummary, S::kQueue}...};
}(static_cast<Schedulers*>(nullptr));

constexpr int index_of(std::string_view name) noexcept {
  for (size_t i = 0; i < kRows.size(); ++i)
    if (kRows[i].name == name) return static_cast<int>(i);
  return -1;
}
inline constexpr int kDefaultScheduler = index_of(DefaultScheduler::kName);

// Asks threads for a task in the order of scheduler `index`; true if one gave a task. `parent_at`:
// the thread that has the suspended parent of what the searching thread ran last; -1: none has.
template <Ask F>
bool search(int index, const Neighbours& near, int parent_at, F ask) {
  return [&]<class... S>(std::tuple<S...>*) {
    bool found = false;
    int i = 0;
    const auto search_by = [&]<class Chosen>() {
      return (Chosen::kParentFirst && parent_at >= 0 && ask(parent_at)) ||
             Chosen::search(near, ask);
    };
    (void)((i++ == index && (found = search_by.template operator()<S>(), true)) || ...);
    return found;
  }(static_cast<Schedulers*>(nullptr));
}

}  // namespace vicino::task
