// nesting.hpp: how deep a thread is in tasks: whether one more may run on top of the present one, and at
// which level of a recursion it is made.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace vicino::task {

// Whether one more task may run on top of the present one that need not.
//
// Why    A task that is run at once may want a lock that the thread holds, it is not recorded, and it
//        takes some of the stack. Each new task asks for all three, so they are one word and one
//        comparison.
// What   how many tasks and regions lie below the present task on this thread's stack, and kMany for
//        each lock that the thread holds, and while it records its tasks.
class CallBudget {
 public:
  constexpr CallBudget() = default;
  // Of a thread that holds so many locks.
  explicit constexpr CallBudget(uint32_t locks) noexcept : below_(locks * kMany) {}

  // A task or region begins on top of the present task, and ends.
  void enter() noexcept { ++below_; }
  void leave() noexcept { --below_; }

  // A lock of the program, or an ordered region: a new task may want the same.
  void hold_lock() noexcept { below_ += kMany; }
  void drop_lock() noexcept {
    if (below_ >= kMany) below_ -= kMany;
  }
  uint32_t locks() const noexcept { return below_ / kMany; }
  // An untied task may give its locks back at another thread, where its next part runs: this thread
  // no longer holds those that it has not held `before`. Their number.
  uint32_t take_locks(uint32_t before) noexcept {
    const uint32_t held = std::max(locks(), before) - before;
    below_ -= held * kMany;
    return held;
  }
  void give_locks(uint32_t held) noexcept { below_ += held * kMany; }
  // While the thread records its tasks.
  void begin_recording() noexcept { below_ += kMany; }
  void end_recording() noexcept { below_ -= kMany; }

  // Whether a task may run on top of `bare` tasks that have not entered.
  bool allows(uint32_t bare) const noexcept { return below_ + bare < kDeep; }
  // The same in a team of one. A task that is queued there runs no earlier than its maker waits, so only a lock and the
  // stack end the nesting. Half of kMany: regions enter without asking.
  bool allows_alone(uint32_t bare) const noexcept { return below_ + bare < kMany / 2; }
  // With so many tasks on a thread's stack an untied task counts as tied for what comes on top of
  // it.
  bool is_deep_for_untied() const noexcept { return below_ >= kDeepForUntied; }
  // How many tasks and regions lie below, below kMany.
  uint32_t depth() const noexcept { return below_ % kMany; }

  static constexpr uint32_t kMany = 1u << 15;

 private:
  static constexpr uint32_t kDeep = 256, kDeepForUntied = 32;
  static_assert(kDeep <= kMany);
  uint32_t below_ = 0;
};

// How deep in a recursion a thread makes its tasks.
//
// Why    Many programs make a task of a function's first call and do the second one themselves. So
//        the tasks of one depth in the tree of tasks are of all lengths, and only the stack tells
//        them apart: each step of the recursion takes some of it.
// Rule   A task begins one level below the place where it was made, and the stack that it has used
//        since it made its first task counts in steps. The levels from kLast on are of one class in
//        lengths.hpp.
class Level {
 public:
  static constexpr uintptr_t kLast = 1024;

  // Notes how deep the present task makes a task: in the function that has this frame.
  [[gnu::always_inline]] void note(const void* frame) noexcept {
    constexpr uintptr_t kStep = 64;
    const auto here = reinterpret_cast<uintptr_t>(frame);
    if (from_ < here) [[unlikely]] {
      // The present task's first one; or the task has left its place on the stack upwards.
      const uintptr_t level = is_level(from_) ? from_ : 1;
      from_ = here + level * kStep;
    }
    now_ = static_cast<uint32_t>(std::min((from_ - here) / kStep, kLast));
  }
  // Of the task that was noted last.
  uint32_t now() const noexcept { return now_; }
  // What a queued task of this level has as its depth, if its parent's does not make it deeper.
  uint32_t depth() const noexcept { return now_ + 1; }

  // What the present task needs to go on after another one has run on top of it.
  class Outer {
    friend class Level;
    uintptr_t from;
  };
  Outer present() const noexcept { return outer(from_); }
  // The task that was noted begins, or one of this depth.
  Outer begin_noted() noexcept { return outer(std::exchange(from_, now_ + 1)); }
  void begin_at(uint32_t depth) noexcept { from_ = std::min<uintptr_t>(depth, kLast); }
  void go_on(Outer task) noexcept { from_ = task.from; }
  // No task of the program lies below.
  void begin_epoch() noexcept { from_ = 0; }

 private:
  static Outer outer(uintptr_t from) noexcept {
    Outer task;
    task.from = from;
    return task;
  }
  // No stack lies so low.
  static bool is_level(uintptr_t from) noexcept { return from <= kLast + 1; }

  uint32_t now_ = 0;
  // Where the stack would have been at level 0; while the present task has made no task, the level
  // of its first one.
  uintptr_t from_ = 0;
};

// How many things of a kind lie below the present task on the member's stack.
class Nested {
 public:
  void enter() noexcept { ++count_; }
  void leave() noexcept { --count_; }
  bool any() const noexcept { return count_ != 0; }

 private:
  int count_ = 0;
};

}  // namespace vicino::task
