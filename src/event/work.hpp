// work.hpp: what a tool is told of worksharing constructs (OMPT); and what all events need of a task's
// record.
#pragma once

#include "ompt/tool.hpp"

namespace vicino::event {

using ompt::TaskRecord;

// The task has called the runtime from this frame; it goes on after the call.
inline void enter_runtime(TaskRecord& task, void* frame) noexcept {
  task.frame.enter.pointer = frame;
}
inline void leave_runtime(TaskRecord& task) noexcept { task.frame.enter = {}; }

// The thread's state while it runs the task's code.
ompt::State state_in(const TaskRecord& task) noexcept;

// All that follows is for code that has found out that a tool watches.

// The present task begins a worksharing construct of `count` iterations or sections, or ends it. `caller`:
// where the call returns to that begins it, if that is not the last call that VICINO_WATCHED() has seen.
void work_begins(ompt::Work work, uint64_t count, const void* caller = nullptr) noexcept;
void work_ends() noexcept;
// A construct of which no call tells the end, as gcc's single, or that was cancelled, ends here at the
// latest.
void end_open_work(TaskRecord& task) noexcept;

// The present task gets the iterations [start, start + iterations), or a section.
void chunk_begins(ompt::DispatchKind kind, uint64_t start, uint64_t iterations) noexcept;
void section_begins() noexcept;
// In a loop or a sections construct that has begun by work_begins(): the next chunk. An empty one ends it.
void next_chunk_is(uint64_t start, uint64_t iterations) noexcept;

// Another member of the team runs the single construct.
void single_is_left_out() noexcept;

// A taskloop may lie in a worksharing construct of the same task.
void taskloop(ompt::Endpoint endpoint, uint64_t count) noexcept;

void masked_begins() noexcept;
void masked_ends() noexcept;

}  // namespace vicino::event
