// queues.hpp: queues of tasks that many threads use: Shared and Prioritised.
//
// Cost   a load of a word to see that there is no task, which is nearly always so; else a lock.
//
// Memory order: the lock orders what is in the container (L1 and L2 of sync/lock.hpp). size_ is
// sequentially consistent for C2 of tasking/ilan.cpp: a thread that puts a runner here, then looks
// at the rows, and one that empties a row, then looks here, do not both miss what the other did.
// size() is relaxed: it only estimates.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <map>
#include <utility>

#include "base/line.hpp"
#include "plat/plat.hpp"
#include "sync/lock.hpp"

namespace vicino::task {

// What the queues below have in common. `Tasks` holds T*, or pairs with T* as the second.
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
  template <class Key, class Wanted>
  static auto first(std::multimap<int, T*, Key>& tasks, Wanted& wanted) {
    return std::find_if(tasks.begin(), tasks.end(),
                        [&wanted](const auto& row) { return wanted(task_of(row)); });
  }
  // From both ends in turn. A member that waits in a recursion may run only descendants of what it waits in: those lie at
  // the end, behind the whole breadth of the tree, and looking from the front alone took nine tenths of nqueens' instructions.
  template <class Wanted>
  static auto first(std::deque<T*>& tasks, Wanted& wanted) {
    auto front = tasks.begin(), back = tasks.end();
    while (front != back) {
      if (wanted(*front)) return front;
      if (++front == back) break;
      if (wanted(*--back)) return back;
    }
    return tasks.end();
  }

  alignas(kLine) plat::atomic<uint64_t> size_{0};
  alignas(kLine) sync::Lock lock_;
  Tasks tasks_;
};

// Tasks that no member's deque may hold: first come, first served.
//
// Why    A deque belongs to one thread. A task that a thread of another team makes ready (by
//        fulfilling an event), and a task that a member holds but may not run itself just now, have
//        to lie where any member of the team finds them.
// Not    an order of execution: breadth_first has one (breadth_first.hpp).
template <class T>
class Shared : public Locked<T, std::deque<T*>> {
 public:
  void put(T* task) {
    this->change([task](auto& tasks) { tasks.push_back(task); });
  }

  // put() in two steps, for a thread that fills several queues, so that no other thread finds one
  // of them filled while the next is empty. Before show() others may find the task or not.
  void put_unseen(T* task) {
    this->change_unseen([task](auto& tasks) { tasks.push_back(task); });
  }
  void show() {
    this->change([](auto&) {});
  }
};

// A team's tasks with a priority: the highest first, among equals the oldest.
//
// Why    A deque gives out the newest or the oldest task. A priority is a wish about all tasks of
//        the team, so tasks with a priority lie in one place, and members look there first.
// Not    for tasks without a priority, nor where OMP_MAX_TASK_PRIORITY is 0, as it is by default:
//        then no task has one.
template <class T>
class Prioritised : public Locked<T, std::multimap<int, T*, std::greater<>>> {
 public:
  void put(T* task, int priority) {
    this->change([=](auto& tasks) { tasks.emplace(priority, task); });
  }
};

}  // namespace vicino::task
