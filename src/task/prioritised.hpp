// prioritised.hpp: a team's tasks with a priority: the highest first, among equals the oldest.
//
// Why    A deque gives out the newest or the oldest task. A priority is a wish about all tasks of
//        the team, so tasks with a priority lie in one place, and members look there first.
// Cost   a lock per task with a priority; if no task has one, a load of a word that no thread
//        writes.
// Not    for tasks without a priority, nor where OMP_MAX_TASK_PRIORITY is 0, as it is by default:
//        then no task has one.
#pragma once

#include <functional>
#include <map>

#include "task/locked.hpp"

namespace vicino::task {

// Tasks of equal priority lie in the order in which they came.
template <class T>
class Prioritised : public Locked<T, std::multimap<int, T*, std::greater<>>> {
 public:
  void put(T* task, int priority) {
    this->change([=](auto& tasks) { tasks.emplace(priority, task); });
  }
};

}  // namespace vicino::task
