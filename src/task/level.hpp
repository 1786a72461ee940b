// level.hpp: how deep in a recursion a thread makes its tasks.
//
// Why    Many programs make a task of a function's first call and do the second one themselves. So
// the
//        tasks of one depth in the tree of tasks are of all lengths, and only the stack tells them
//        apart: each step of the recursion takes some of it.
// Rule   A task begins one level below the place where it was made, and the stack that it has used
// since
//        it made its first task counts in steps. The levels from kLast on are of one class in
//        lengths.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

namespace vicino::task {

class Level {
 public:
  static constexpr uintptr_t kLast = 1024;

  // Notes how deep the present task makes a task. Inlined, so that the frame is the one that makes
  // it.
  [[gnu::always_inline]] void note() noexcept {
    constexpr uintptr_t kStep = 64;
    const auto here = reinterpret_cast<uintptr_t>(__builtin_dwarf_cfa());
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

  // Where the stack would have been at level 0; while the present task has made no task, the level
  // of its first one.
  uintptr_t from_ = 0;
  uint32_t now_ = 0;
};

}  // namespace vicino::task
