// tasks.cpp: GCC's explicit tasks, each run at once by the thread that meets it; see
// kmpc/tasks.cpp.
#include <alloca.h>
#include <stdint.h>
#include <string.h>

#include <algorithm>

#include "abi/api.hpp"
#include "abi/gomp/region.hpp"
#include "base/say.hpp"
#include "team/explicit_task.hpp"

using namespace vicino;
using gomp::Function;
using Ull = unsigned long long;

namespace {

constexpr unsigned kFinal = 1 << 1;
constexpr unsigned kReduction = 1 << 12;
constexpr unsigned kDetach = 1 << 13;

// Of `bytes` on the caller's stack.
#define VICINO_STACK_COPY(bytes, align) \
  align_up(alloca((bytes) + (align)), static_cast<uintptr_t>(align))
void* align_up(void* pointer, uintptr_t align) {
  return reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(pointer) + align - 1) & ~(align - 1));
}

// The task's private copy of its data: firstprivate ones may need a constructor.
void fill(void* to, void* from, void (*copy)(void*, void*), size_t bytes) {
  if (copy != nullptr)
    copy(to, from);
  else
    memcpy(to, from, bytes);
}

// The whole loop as one task. Its data begin with the bounds.
template <class T>
void taskloop(Function function, void* data, void (*copy)(void*, void*), long bytes, long align,
              unsigned flags, T start, T end, bool runs) {
  if (flags & kReduction)
    die("this program has a taskloop with a reduction, which Vicino does not implement yet");
  if (!runs) return;
  void* own =
      VICINO_STACK_COPY(static_cast<size_t>(bytes), static_cast<size_t>(std::max(align, 1L)));
  fill(own, data, copy, static_cast<size_t>(bytes));
  static_cast<T*>(own)[0] = start;
  static_cast<T*>(own)[1] = end;
  const team::ExplicitTask scope((flags & kFinal) != 0);
  function(own);
}

}  // namespace

VICINO_API void GOMP_task(Function function, void* data, void (*copy)(void*, void*), long bytes,
                          long align, bool, unsigned flags, void**, int, void*) {
  if (flags & kDetach)
    die("this program has a task with a detach clause, which Vicino does not implement yet");
  void* own =
      VICINO_STACK_COPY(static_cast<size_t>(bytes), static_cast<size_t>(std::max(align, 1L)));
  fill(own, data, copy, static_cast<size_t>(bytes));
  const team::ExplicitTask scope((flags & kFinal) != 0);
  function(own);
}

VICINO_API void GOMP_taskloop(Function function, void* data, void (*copy)(void*, void*), long bytes,
                              long align, unsigned flags, unsigned long, int, long start, long end,
                              long step) {
  taskloop(function, data, copy, bytes, align, flags, start, end,
           step > 0 ? start < end : start > end);
}
VICINO_API void GOMP_taskloop_ull(Function function, void* data, void (*copy)(void*, void*),
                                  long bytes, long align, unsigned flags, unsigned long, int,
                                  Ull start, Ull end, Ull) {
  constexpr unsigned kUp = 1 << 8;
  taskloop(function, data, copy, bytes, align, flags, start, end,
           flags & kUp ? start < end : start > end);
}

VICINO_API void GOMP_taskwait() {}
VICINO_API void GOMP_taskwait_depend(void**) {}
VICINO_API void GOMP_taskyield() {}
VICINO_API void GOMP_taskgroup_start() {}
VICINO_API void GOMP_taskgroup_end() {}
