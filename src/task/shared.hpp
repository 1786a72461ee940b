// shared.hpp: tasks that no member's deque may hold: first come, first served.
//
// Why    A deque belongs to one thread. A task that a thread of another team makes ready (by
//        fulfilling an event), and a task that a member holds but may not run itself just now, have
//        to lie where any member of the team finds them.
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

  // put() in two steps, for a thread that fills several queues, so that no other thread finds one
  // of them filled while the next is empty. Before show() others may find the task or not.
  void put_unseen(T* task) {
    this->change_unseen([task](auto& tasks) { tasks.push_back(task); });
  }
  void show() {
    this->change([](auto&) {});
  }
};

}  // namespace vicino::task
