// sync.hpp: what a tool is told of barriers, taskwait, taskgroups, reductions and mutual exclusion
// (OMPT).
#pragma once

#include "event/work.hpp"

namespace vicino::event {

// All but the classes is for code that has found out that a tool watches.

// What the next barrier of the calling thread is.
void next_barrier_is(ompt::Sync kind) noexcept;

// A part of the present task in which it waits for others: for its whole life the task is in the runtime.
// The kind kNone stands for a barrier, whose kind next_barrier_is() has told.
class Waiting {
 public:
  explicit Waiting(ompt::Sync kind) noexcept {
    if (ompt::is_watched()) [[unlikely]]
      begin(kind);
  }
  ~Waiting() {
    if (task_ != nullptr) [[unlikely]]
      end();
  }
  Waiting(const Waiting&) = delete;

 private:
  void begin(ompt::Sync kind) noexcept;
  void end() noexcept;

  TaskRecord* task_ = nullptr;
  ompt::Sync kind_;
  ompt::Caller caller_;
  ompt::State state_;
};

void taskgroup_begins() noexcept;

// A reduction's code runs, in the runtime or in the program.
void reduction_begins() noexcept;
void reduction_ends() noexcept;

// The thread asks for a lock; it has got it; it has given it back.
void mutex_acquire(ompt::Mutex kind, const void* lock, unsigned hint = 0) noexcept;
void mutex_acquired(ompt::Mutex kind, const void* lock) noexcept;
// The thread waits no longer; `got`: it has the lock.
void mutex_tested(ompt::Mutex kind, const void* lock, bool got) noexcept;
void mutex_released(ompt::Mutex kind, const void* lock) noexcept;
void lock_init(ompt::Mutex kind, const void* lock, unsigned hint) noexcept;
void lock_destroy(ompt::Mutex kind, const void* lock) noexcept;
// A nest lock's owner takes it once more, or gives it back but still has it.
void nest_lock(ompt::Endpoint endpoint, const void* lock) noexcept;

// The program asks the tool for something; returns the tool's answer, or `without` if it has no function
// for that.
int control_tool(int command, int modifier, void* argument, int without) noexcept;

void flush() noexcept;
void error(ompt::Severity severity, const char* message, size_t length) noexcept;

}  // namespace vicino::event
