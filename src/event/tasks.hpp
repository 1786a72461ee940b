// tasks.hpp: what a tool is told of explicit tasks (OMPT). Only for tasks with Task::kWatched.
#pragma once

#include <span>

#include "ompt/tool.hpp"
#include "team/team.hpp"

namespace vicino::task {
class Vertex;
}

namespace vicino::event {

using team::Member;
using team::Task;

// The present task has generated the task. `flags`: of ompt::TaskFlag, beyond what the record of the task
// says itself.
void task_created(Member& member, Task& task, unsigned flags, bool has_dependences) noexcept;
void dependences(const Task& task, std::span<const ompt::Dependence> list) noexcept;
void dependences_of_present_task(std::span<const ompt::Dependence> list) noexcept;

// The task runs in place of the present one, which goes on after it. Nothing is told of tasks that were not
// told to be created.
void body_begins(Member& member, Task& task) noexcept;
void body_ends(Task& task, ompt::TaskStatus status) noexcept;
// It will not run, for its group was cancelled.
void task_discarded(const Task& task) noexcept;
// Its event is fulfilled.
void task_fulfilled(const Task& task, ompt::TaskStatus status) noexcept;

// The present task asks for cancellation, or learns of it; `flags`: of ompt::CancelFlag.
void cancel(int flags) noexcept;

// While this exists, the present task gives way to others of its own will.
class Yielding {
 public:
  Yielding() noexcept {
    if (ompt::is_watched()) [[unlikely]]
      set(ompt::TaskStatus::kYield);
  }
  ~Yielding() {
    if (ompt::is_watched()) [[unlikely]]
      set(ompt::TaskStatus::kSwitch);
  }
  Yielding(const Yielding&) = delete;

 private:
  static void set(ompt::TaskStatus status) noexcept;
};

// A taskwait with dependences, which is told as an empty task: from here on to the object's end.
class Taskwait {
 public:
  explicit Taskwait(std::span<const ompt::Dependence> list) noexcept;
  ~Taskwait();
  Taskwait(const Taskwait&) = delete;

 private:
  ompt::TaskRecord record_;
  bool is_told_;
};

}  // namespace vicino::event
