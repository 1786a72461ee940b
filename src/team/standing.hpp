// standing.hpp: where a member stands in the tree of tasks: its present task, and what may run on
// top of that one.
//
// A member runs its implicit task, and other tasks on top of it. Some of those have no record: they
// are bare (tasking::run_bare()). Only tasks that descend from a suspended tied task may run on top
// of it (OpenMP 5.2, section 12.9: the task scheduling constraint). The standard would let an
// untied task run on any. But when such a task waits for a tied child, that child may not run here,
// and if all threads are in this situation, it may run nowhere (src/task/README.md, "Nobody waits
// for ever").
//
// Invariant
//  I1 a child is kept only while the untied task that generated it is innermost(): before
//     another task comes on top of that one, and at the end of its part, the child is offered or
//     run. gcc's tasks have no parts and never keep one; when a bare task of gcc's begins, a child is
//     still kept only where clang's untied task calls code by gcc.
#pragma once

#include <cstdint>
#include <utility>

#include "task/nesting.hpp"
#include "team/task.hpp"

namespace vicino::team {

class Standing {
 public:
  // A region begins.
  void start() noexcept {
    implicit_.inner = nullptr;
    innermost_ = tied_ = &implicit_;
    bare_ = 0;
    floor_ = 0;
  }

  Task& implicit() noexcept { return implicit_; }
  // The innermost task that has a record; see Member::task().
  Task& innermost() const noexcept { return *innermost_; }
  // Whether tasks without a record are on top of that one, and how many.
  bool is_bare() const noexcept { return bare_ != 0; }
  uint32_t bare() const noexcept { return bare_; }
  // Whether `task` is the present one.
  bool is_in(const Task& task) const noexcept { return innermost_ == &task && bare_ == 0; }
  bool is_in_implicit() const noexcept { return is_in(implicit_); }
  // Whether what the present task generates must run at once.
  bool is_final() const noexcept { return innermost_->is(Task::kFinal); }

  void begin_bare() noexcept { ++bare_; }
  // The tasks on top of the bare one have ended. False if it has got a record: records are made for
  // all bare tasks together.
  bool end_bare() noexcept {
    if (bare_ == 0) [[unlikely]]
      return false;
    --bare_;
    return true;
  }
  // They get records. Returns their number.
  uint32_t take_bare() noexcept { return std::exchange(bare_, 0); }

  // What a task needs to go on after another one has run on top of it.
  class Outer {
    friend class Standing;
    explicit Outer(const Standing& its) noexcept
        : level(its.level_.present()),
          innermost(its.innermost_),
          tied(its.tied_),
          floor(its.floor_) {}
    task::Level::Outer level;
    Task* innermost;
    Task* tied;
    uint64_t floor;
  };
  Outer present() const noexcept { return Outer(*this); }
  void begin(Task& task) noexcept {
    level_.begin_at(task.depth());
    innermost_ = &task;
  }
  // From now on tasks that run on top must descend from it.
  void tie(Task& task) noexcept { tied_ = &task; }
  // The same; the tasks below `floor` in the member's deque do not descend from it.
  void tie(Task& task, uint64_t floor) noexcept {
    tied_ = &task;
    floor_ = floor;
  }
  void go_on(const Outer& task) noexcept {
    level_.go_on(task.level);
    innermost_ = task.innermost;
    tied_ = task.tied;
    floor_ = task.floor;
  }
  // At a barrier any task may run.
  void come_to_barrier() noexcept {
    tied_ = nullptr;
    floor_ = 0;
  }
  void leave_barrier() noexcept { tied_ = &implicit_; }
  bool is_at_barrier() const noexcept { return tied_ == nullptr; }
  bool may_run(Task& task) const noexcept { return tied_ == nullptr || task.descends_from(*tied_); }
  // The innermost suspended tied task, or an untied one deep in the stack
  // (CallBudget::is_deep_for_untied()); null at a barrier.
  Task* tied() const noexcept { return tied_; }
  uint64_t floor() const noexcept { return floor_; }

  // How deep the present task is in a recursion.
  task::Level& level() noexcept { return level_; }
  const task::Level& level() const noexcept { return level_; }

  // The child that the present untied task generated last; it is offered or run as I1 says.
  bool has_child() const noexcept { return child_ != nullptr; }
  void keep_child(Task& child) noexcept { child_ = &child; }
  Task* take_child() noexcept { return std::exchange(child_, nullptr); }

 private:
  // No two fields that an Outer saves lie side by side, those of `level_` included: if they were
  // written one by one and read back as two at once, the read would stall.
  Task implicit_;
  Task* innermost_ = &implicit_;
  uint32_t bare_ = 0;
  Task* tied_ = &implicit_;
  task::Level level_;
  Task* child_ = nullptr;
  uint64_t floor_ = 0;
};

}  // namespace vicino::team
