// shared.hpp: tasks that no member's deque may hold: first come, first served.
//
// Why    A deque belongs to one thread. What a thread of another team makes ready (by fulfilling an
//        event), and what a member holds but may not run itself just now, has to lie where any
//        member of the team finds it.
// Cost   a lock; a load to see that there is nothing, which is nearly always so.
// Not    an order of execution: breadth_first has one (breadth_first.hpp).
#pragma once

#include <algorithm>
#include <deque>

#include "base/line.hpp"
#include "plat/plat.hpp"
#include "sync/lock.hpp"

namespace vicino::task {

template <class T>
class Shared {
 public:
  bool empty() const noexcept { return size_.load(std::memory_order_seq_cst) == 0; }

  void put(T* task) {
    lock_.acquire(kBudget);
    tasks_.push_back(task);
    size_.store(tasks_.size(), std::memory_order_seq_cst);
    lock_.release();
  }

  // In two steps, for who fills several queues and wants nobody to find one while the next is
  // empty. Until show() others may find the task or not.
  void put_unseen(T* task) {
    lock_.acquire(kBudget);
    tasks_.push_back(task);
    lock_.release();
  }
  void show() {
    lock_.acquire(kBudget);
    size_.store(tasks_.size(), std::memory_order_seq_cst);
    lock_.release();
  }

  // The oldest that is wanted; null if there is none.
  template <class Wanted>
  T* take(Wanted wanted) {
    if (empty()) return nullptr;
    T* found = nullptr;
    lock_.acquire(kBudget);
    const auto at = std::find_if(tasks_.begin(), tasks_.end(), wanted);
    if (at != tasks_.end()) {
      found = *at;
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
    const bool found = std::any_of(tasks_.begin(), tasks_.end(), wanted);
    lock_.release();
    return found;
  }

 private:
  static constexpr plat::Budget kBudget{.ns = 20'000};

  alignas(kLine) plat::atomic<uint64_t> size_{0};
  sync::Lock lock_;
  std::deque<T*> tasks_;
};

}  // namespace vicino::task
