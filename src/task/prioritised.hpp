// prioritised.hpp: a team's tasks with a priority: the highest first, of equals the oldest.
//
// Why    A deque gives out the newest or the oldest. A priority is a wish about all tasks of the
//        team, so those that have one lie in one place, and members look there first.
// Cost   a lock per task with a priority; a load of a word that nobody writes where none has.
// Not    for tasks without a priority, nor where OMP_MAX_TASK_PRIORITY is 0, as it is by default:
//        then no task has one.
#pragma once

#include <algorithm>
#include <functional>
#include <map>

#include "base/line.hpp"
#include "plat/plat.hpp"
#include "sync/lock.hpp"

namespace vicino::task {

template <class T>
class Prioritised {
 public:
  bool empty() const noexcept { return size_.load(std::memory_order_seq_cst) == 0; }

  void put(T* task, int priority) {
    lock_.acquire(kBudget);
    tasks_.emplace(priority, task);
    size_.store(tasks_.size(), std::memory_order_seq_cst);
    lock_.release();
  }

  // The first that is wanted; null if there is none.
  template <class Wanted>
  T* take(Wanted wanted) {
    if (empty()) return nullptr;
    T* found = nullptr;
    lock_.acquire(kBudget);
    const auto at = first(wanted);
    if (at != tasks_.end()) {
      found = at->second;
      tasks_.erase(at);
    }
    size_.store(tasks_.size(), std::memory_order_seq_cst);
    lock_.release();
    return found;
  }

  // Whether take() would find one.
  template <class Wanted>
  bool offers(Wanted wanted) {
    if (empty()) return false;
    lock_.acquire(kBudget);
    const bool found = first(wanted) != tasks_.end();
    lock_.release();
    return found;
  }

 private:
  static constexpr plat::Budget kBudget{.ns = 20'000};

  template <class Wanted>
  auto first(Wanted wanted) {
    return std::find_if(tasks_.begin(), tasks_.end(),
                        [&wanted](const auto& row) { return wanted(row.second); });
  }

  alignas(kLine) plat::atomic<uint64_t> size_{0};
  alignas(kLine) sync::Lock lock_;
  std::multimap<int, T*, std::greater<>> tasks_;  // equals in the order in which they came
};

}  // namespace vicino::task
