// call_budget.hpp: whether one more task may run on top of the present one that need not.
//
// Why    A task that is run at once may want a lock that the thread holds, it is not recorded, and
// it takes
//        some of the stack. Each new task asks for all three, so they are one word and one
//        comparison.
// What   how many tasks and regions lie below the present task on this thread's stack, and kMany
// for each
//        lock that the thread holds, and while it records its tasks.
#pragma once

#include <algorithm>
#include <cstdint>

namespace vicino::task {

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

}  // namespace vicino::task
