// tasks.cpp: GCC's explicit tasks.
#include "team/tasks.hpp"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "abi/api.hpp"
#include "abi/gomp/task.hpp"
#include "base/say.hpp"
#include "team/cancel.hpp"

using namespace vicino;
using gomp::Function;
using team::Member;
using team::Task;

namespace {

// The task's own copy of its data lies behind its record, or in a block of its own if it is large.
constexpr uintptr_t kAlign = 16;
void* align_up(void* pointer, uintptr_t align) {
  return reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(pointer) + align - 1) & ~(align - 1));
}

bool run(Member&, Task& task) {
  if (task.is(Task::kDiscarded)) [[unlikely]]
    return true;
  reinterpret_cast<Function>(task.function)(task.data);
  return true;
}
bool run_and_free(Member& member, Task& task) {
  run(member, task);
  free(task.data);
  return true;
}

}  // namespace

Task& gomp::make_task(Member& member, Function function, void* data, Copy copy, long bytes,
                      long align, unsigned flags) {
  // gcc's untied tasks cannot move either: they have no parts.
  const auto size = static_cast<size_t>(bytes);
  const auto alignment = static_cast<uintptr_t>(std::max(align, 1L));
  const size_t slack = alignment > kAlign ? alignment : 0;
  const uint8_t record_flags = flags & gomp::kFinal ? Task::kFinal : 0;
  Task* task = team::new_task(member, size + slack, record_flags);
  void* room = task + 1;
  if (task != nullptr) {
    task->body = run;
    task->data = room = align_up(room, alignment);
  } else {
    task = team::new_task(member, 0, record_flags);
    task->body = run_and_free;
    const auto block_align = std::max(alignment, kAlign);
    task->data = room =
        aligned_alloc(block_align, (size + block_align - 1) / block_align * block_align);
    if (room == nullptr) die("out of memory for a task with %zu bytes of data", size);
  }
  task->function = reinterpret_cast<void*>(function);
  if (copy != nullptr) {
    copy(room, data);
    task->flags |= Task::kBegun;  // only its function can destroy what has been constructed
  } else {
    memcpy(room, data, size);
  }
  return *task;
}

VICINO_API void GOMP_task(Function function, void* data, void (*copy)(void*, void*), long bytes,
                          long align, bool deferrable, unsigned flags, void**, int, void*) {
  if (flags & gomp::kDetach)
    die("this program has a task with a detach clause, which Vicino does not implement yet");
  Member& member = team::me();
  if (team::is_cancelled(member, team::Construct::kTaskgroup)) return;
  if (flags & gomp::kDepend) team::wait_for_children(member);
  Task& task = gomp::make_task(member, function, data, copy, bytes, align, flags);
  if (!deferrable || (flags & (gomp::kFinal | gomp::kDepend)) != 0 || team::runs_at_once(member))
    team::run_at_once(member, task);
  else
    team::spawn(member, task);
}

VICINO_API void GOMP_taskwait() { team::wait_for_children(team::me()); }
VICINO_API void GOMP_taskwait_depend(void**) { team::wait_for_children(team::me()); }
VICINO_API void GOMP_taskyield() { team::yield_to_task(team::me()); }
VICINO_API void GOMP_taskgroup_start() { team::begin_group(team::me()); }
VICINO_API void GOMP_taskgroup_end() { team::end_group(team::me()); }
