#include "event/work.hpp"

#include "event/start.hpp"

namespace vicino::event {

using ompt::Endpoint;
using ompt::Event;
using ompt::tell;
using ompt::Work;
namespace {

TaskRecord& task_now() noexcept { return *ompt::thread->task; }

void tell_work(TaskRecord& task, Work work, Endpoint endpoint, uint64_t count) noexcept {
  tell(Event::kWork, work, endpoint, &task.team->data, &task.data, count,
       ompt::thread->caller.address);
}

void tell_masked(Endpoint endpoint) noexcept {
  if (!is_on()) return;
  TaskRecord& task = task_now();
  tell(Event::kMasked, endpoint, &task.team->data, &task.data, ompt::thread->caller.address);
}

}  // namespace

ompt::State state_in(const TaskRecord& task) noexcept {
  const bool serial = (task.flags & ompt::kInitialTask) != 0;
  return serial ? ompt::State::kSerial : ompt::State::kParallel;
}

void work_begins(Work work, uint64_t count, const void* caller) noexcept {
  if (!is_on()) return;
  if (caller != nullptr) ompt::thread->caller.address = caller;
  TaskRecord& task = task_now();
  end_open_work(task);
  task.work = work;
  task.work_count = count;
  tell_work(task, work, Endpoint::kBegin, count);
}

void end_open_work(TaskRecord& task) noexcept {
  if (task.work == Work::kNone) return;
  tell_work(task, task.work, Endpoint::kEnd, task.work_count);
  task.work = Work::kNone;
}

void work_ends() noexcept {
  if (is_on()) end_open_work(task_now());
}

void chunk_begins(ompt::DispatchKind kind, uint64_t start, uint64_t iterations) noexcept {
  if (!is_on()) return;
  TaskRecord& task = task_now();
  ompt::Chunk chunk{start, iterations};
  tell(Event::kDispatch, &task.team->data, &task.data, kind, ompt::Data{.pointer = &chunk});
}

void section_begins() noexcept {
  if (!is_on()) return;
  TaskRecord& task = task_now();
  void* const place = const_cast<void*>(ompt::thread->caller.address);
  tell(Event::kDispatch, &task.team->data, &task.data, ompt::DispatchKind::kSection,
       ompt::Data{.pointer = place});
}

void next_chunk_is(uint64_t start, uint64_t iterations) noexcept {
  if (iterations == 0) return work_ends();
  if (is_on() && task_now().work == Work::kSections) return section_begins();
  chunk_begins(ompt::DispatchKind::kLoopChunk, start, iterations);
}

void taskloop(Endpoint endpoint, uint64_t count) noexcept {
  if (is_on() && ompt::thread != nullptr) tell_work(task_now(), Work::kTaskloop, endpoint, count);
}

void single_is_left_out() noexcept {
  if (!is_on()) return;
  TaskRecord& task = task_now();
  end_open_work(task);
  for (const Endpoint endpoint : {Endpoint::kBegin, Endpoint::kEnd})
    tell_work(task, Work::kSingleOfOther, endpoint, 1);
}

void masked_begins() noexcept { tell_masked(Endpoint::kBegin); }
void masked_ends() noexcept { tell_masked(Endpoint::kEnd); }

}  // namespace vicino::event
