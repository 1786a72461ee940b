// shared.hpp: tasks that no member's deque may hold: first come, first served.
//
// Why    A deque belongs to one thread. What a thread of another team makes ready (by fulfilling an
//        event), and what a member holds but may not run itself just now, has to lie where any
//        member of the team finds it.
// Cost   a lock; a load to see that there is nothing, which is nearly always so.
// Not    an order of execution: breadth_first has one (breadth_first.hpp).
#pragma once

#include <deque>

#include "task/locked.hpp"

namespace vicino::task {

template <class T>
class Shared : public Locked<T, std::deque<T*>> {
 public:
  void put(T* task) {
    this->change([task](auto& tasks) { tasks.push_back(task); });
  }

  // In two steps, for who fills several queues and wants nobody to find one while the next is
  // empty. Until show() others may find the task or not.
  void put_unseen(T* task) {
    this->change_unseen([task](auto& tasks) { tasks.push_back(task); });
  }
  void show() {
    this->change([](auto&) {});
  }
};

}  // namespace vicino::task
