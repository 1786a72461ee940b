// task.hpp: what the files of LLVM's ABI share about tasks.
#pragma once

#include "team/tasks.hpp"

namespace vicino::kmpc {

struct KmpTask;  // as the compiled code knows a task

team::Task& record_of(KmpTask* task) noexcept;
// The compiled code that it runs.
const void* code_of(const KmpTask* task) noexcept;
// A copy of a task that has not begun, as the calling thread's own; what its data refer to within
// the task refers to the copy.
KmpTask* copy_of(team::Member& member, KmpTask* task);
// Destroys a task that was neither spawned nor run.
void destroy(team::Member& member, KmpTask* task) noexcept;

}  // namespace vicino::kmpc
