// task.hpp: declarations about tasks that the files of LLVM's ABI share.
#pragma once

#include "team/task.hpp"

namespace vicino::kmpc {

struct KmpTask;  // a task as the compiled code knows it

team::Task& record_of(KmpTask* task) noexcept;
// For a tool (OMPT), if the record has Task::kWatched: where the task's data are.
void tell_memory(KmpTask* task) noexcept;
// The compiled code that the task runs.
const void* code_of(const KmpTask* task) noexcept;
// Copies a task that has not begun; the copy belongs to the calling thread. Pointers in the data
// that point into the task point into the copy.
KmpTask* copy_of(team::Member& member, KmpTask* task);
// Destroys a task that was neither spawned nor run.
void destroy(team::Member& member, KmpTask* task) noexcept;

}  // namespace vicino::kmpc
