// locked.hpp: tasks in some container, behind a lock: what Shared and Prioritised have in common.
//
// Cost   a load to see that there is no task, which is nearly always so; else a lock.
//
// Memory order: the lock orders what is in the container (L1 and L2 of sync/lock.hpp). size_ is
// sequentially consistent for C2 of tasking/ilan.cpp: a thread that puts a runner here, then looks
// at the rows, and one that empties a row, then looks here, do not both miss what the other did.
// size() is relaxed: it only estimates.
#pragma once

#include <algorithm>
#include <utility>

#include "base/line.hpp"
#include "plat/plat.hpp"
#include "sync/lock.hpp"

namespace vicino::task {

// `Tasks` holds T*, or pairs with T* as the second.
template <class T, class Tasks>
class Locked {
 public:
  bool empty() const noexcept { return size_.load(std::memory_order_seq_cst) == 0; }  // C2

  uint64_t size() const noexcept { return size_.load(std::memory_order_relaxed); }

  // Takes the first task that is wanted; null if there is none.
  template <class Wanted>
  T* take(Wanted wanted) {
    if (empty()) return nullptr;
    T* found = nullptr;
    change([&](Tasks& tasks) {
      const auto at = first(tasks, wanted);
      if (at == tasks.end()) return;
      found = task_of(*at);
      tasks.erase(at);
    });
    return found;
  }

  // Whether take() would find one.
  template <class Wanted>
  bool offers(Wanted wanted) {
    if (empty()) return false;
    lock_.acquire(kBudget);
    const bool found = first(tasks_, wanted) != tasks_.end();
    lock_.release();
    return found;
  }

 protected:
  // After change() other threads see the change ...
  template <class Change>
  void change(Change change) {
    lock_.acquire(kBudget);
    change(tasks_);
    size_.store(tasks_.size(), std::memory_order_seq_cst);  // C2
    lock_.release();
  }
  // ... after change_unseen() they may not see it yet, if the container was empty before.
  template <class Change>
  void change_unseen(Change change) {
    lock_.acquire(kBudget);
    change(tasks_);
    lock_.release();
  }

 private:
  static constexpr plat::Budget kBudget{.ns = 20'000};

  static T* task_of(T* task) noexcept { return task; }
  template <class Key>
  static T* task_of(const std::pair<Key, T*>& row) noexcept {
    return row.second;
  }
  template <class Wanted>
  static auto first(Tasks& tasks, Wanted& wanted) {
    return std::find_if(tasks.begin(), tasks.end(),
                        [&wanted](const auto& row) { return wanted(task_of(row)); });
  }

  alignas(kLine) plat::atomic<uint64_t> size_{0};
  alignas(kLine) sync::Lock lock_;
  Tasks tasks_;
};

}  // namespace vicino::task
