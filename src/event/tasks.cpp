#include "event/tasks.hpp"

#include <utility>

#include "event/start.hpp"
#include "event/work.hpp"
#include "task/depend.hpp"

namespace vicino::event {

using ompt::Event;
using ompt::TaskStatus;
using ompt::tell;
namespace {

// What the task's own record says of it.
unsigned flags_of(const Task& task) noexcept {
  return (task.is(Task::kFinal) ? ompt::kFinal : 0u) |
         (task.is(Task::kUntied) ? ompt::kUntied : 0u);
}

void tell_created(ompt::TaskRecord& record, bool has_dependences) noexcept {
  ompt::ThreadRecord& thread = *ompt::thread;
  ompt::TaskRecord& by = *thread.task;
  record.caller = thread.caller;
  record.team = by.team;
  void* const before = by.frame.enter.pointer;
  if (before == nullptr) enter_runtime(by, thread.caller.frame);
  tell(Event::kTaskCreate, &by.data, &by.frame, &record.data, record.flags, int{has_dependences},
       thread.caller.address);
  if (before == nullptr) leave_runtime(by);
}

void tell_dependences(ompt::TaskRecord& record, std::span<const ompt::Dependence> list) noexcept {
  tell(Event::kDependences, &record.data, list.data(), static_cast<int>(list.size()));
}

}  // namespace

void task_created(Member& member, Task& task, unsigned flags, bool has_dependences) noexcept {
  const bool at_once = member.team->size == 1 || member.tasks.standing.is_final();
  task.record().flags =
      ompt::kExplicitTask | flags_of(task) | flags | (at_once ? ompt::kUndeferred : 0u);
  if (is_on()) tell_created(task.record(), has_dependences);
}

void dependences(const Task& task, std::span<const ompt::Dependence> list) noexcept {
  if (is_on()) tell_dependences(task.record(), list);
}
void dependences_of_present_task(std::span<const ompt::Dependence> list) noexcept {
  if (is_on()) tell_dependences(*ompt::thread->task, list);
}

void body_begins(Member& member, Task& task) noexcept {
  ompt::TaskRecord& record = task.record();
  if (record.flags == 0) return;
  ompt::ThreadRecord& thread = *ompt::thread;
  ompt::TaskRecord& below = *thread.task;
  record.below = &below;
  record.team = &member.team->record;
  record.thread = member.id;
  record.enter_below = below.frame.enter.pointer;
  if (record.enter_below == nullptr && !below.is_ending) enter_runtime(below, thread.caller.frame);
  if (is_on())
    tell(Event::kTaskSchedule, &below.data, std::exchange(thread.switching, TaskStatus::kSwitch),
         &record.data);
  thread.task = &record;
  thread.state = ompt::State::kParallel;
  thread.caller = record.caller;
  record.frame.exit.pointer = __builtin_frame_address(0);
  if (record.chunk.iterations != 0)
    chunk_begins(ompt::DispatchKind::kTaskloopChunk, record.chunk.start, record.chunk.iterations);
}

void body_ends(Task& task, TaskStatus status) noexcept {
  ompt::TaskRecord& record = task.record();
  if (record.flags == 0) return;
  ompt::TaskRecord& below = *record.below;
  if (is_on()) {
    end_open_work(record);
    tell(Event::kTaskSchedule, &record.data, status, &below.data);
  }
  record.frame = {};
  ompt::thread->task = &below;
  ompt::thread->state = state_in(below);
  if (record.enter_below == nullptr) leave_runtime(below);
}

void task_discarded(const Task& task) noexcept {
  const void* const nowhere = nullptr;
  if (is_on() && task.record().flags != 0)
    tell(Event::kCancel, &task.record().data, ompt::kCancelTaskgroup | ompt::kDiscardedTask,
         nowhere);
}

void task_fulfilled(const Task& task, TaskStatus status) noexcept {
  ompt::Data* const none = nullptr;
  if (is_on()) tell(Event::kTaskSchedule, &task.record().data, status, none);
}

void cancel(int flags) noexcept {
  if (is_on()) tell(Event::kCancel, &ompt::thread->task->data, flags, ompt::thread->caller.address);
}

void Yielding::set(TaskStatus status) noexcept {
  if (ompt::thread != nullptr) ompt::thread->switching = status;
}

Taskwait::Taskwait(std::span<const ompt::Dependence> list) noexcept : is_told_(is_on()) {
  if (!is_told_) return;
  record_.flags = ompt::kTaskwaitTask | ompt::kUndeferred | ompt::kMergeable;
  tell_created(record_, !list.empty());
  tell_dependences(record_, list);
}

Taskwait::~Taskwait() {
  if (is_told_ && is_on())
    tell(Event::kTaskSchedule, &record_.data, TaskStatus::kTaskwaitComplete,
         &ompt::thread->task->data);
}

}  // namespace vicino::event
