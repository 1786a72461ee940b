// holders.hpp: which members of a team may hold tasks that others can take: a bit for each.
//
// Why    A thief reads two lines of each deque that it asks, and takes them away from members at
//        work. In a large team most deques are empty when a thief looks, so it asks only those of
//        holders.
// Cost   a member that is a holder already pushes as before. Becoming a holder, and ceasing to be
//        one, is an atomic operation on a line of kPerWord members; both happen only when the member
//        has run out of tasks in between. A look reads one line for kPerWord members.
// Not    exact: a holder's deque may be empty. A member stays a holder until it has looked for a
//        task in vain, so that pops of the last task write nothing here.
//
// Invariants
//  I1 a member's bit is set from before its first push into its deque until it has found this deque
//     empty and has not pushed since.
//  I2 only the member itself changes its bit, and its own copy of it, Search::is_holder_.
// Memory order
//  B1 a member sets its bit, then pushes, which is a release (D1 of deque.hpp). So a thread that
//     sees a task in a deque, by an acquire of the deque's bottom, finds the bit set in its next
//     look, unless the deque has been empty since. A member that is about to sleep looks at all
//     deques (A1 of sleep.hpp), not at the bits. If it sees a task there it stays awake, and by the
//     bit it finds the task when it steals. All accesses here are relaxed.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/line.hpp"
#include "plat/plat.hpp"
#include "task/deque.hpp"
#include "task/search.hpp"

namespace vicino::task {

class Holders {
 public:
  // Makes room for so many members. No thread uses the object meanwhile.
  void reserve(int members) {
    while (static_cast<int>(words_.size()) * kPerWord < members)
      words_.push_back(std::make_unique<Word>());
  }

  // By the member: pushes a task into its deque.
  template <class T>
  void push(int member, Search& mine, Deque<T>& deque, T* task) {
    if (!mine.is_holder_) [[unlikely]]
      enter(member, mine);
    deque.push(task);
  }
  // By the member, which has looked for a task in vain. Its deque may still hold tasks that may not
  // run on top of the present one.
  template <class T>
  void run_dry(int member, Search& mine, const Deque<T>& deque) noexcept {
    if (!mine.is_holder_ || !deque.seems_empty()) return;  // I1: its owner is not deceived
    mine.is_holder_ = false;
    word_of(member).fetch_and(~bit(member), std::memory_order_relaxed);
  }
  bool has(int member) const noexcept {
    return (word_of(member).load(std::memory_order_relaxed) & bit(member)) != 0;
  }

 private:
  static constexpr int kPerWord = 16;
  struct alignas(kLine) Word {
    plat::atomic<uint64_t> bits{0};
  };

  [[gnu::noinline]] void enter(int member, Search& mine) noexcept {
    mine.is_holder_ = true;
    word_of(member).fetch_or(bit(member), std::memory_order_relaxed);  // B1
  }
  static uint64_t bit(int member) noexcept { return uint64_t{1} << (member % kPerWord); }
  plat::atomic<uint64_t>& word_of(int member) const noexcept {
    return words_[static_cast<size_t>(member / kPerWord)]->bits;
  }

  std::vector<std::unique_ptr<Word>> words_;
};

}  // namespace vicino::task
