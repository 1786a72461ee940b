// task.hpp: declarations about tasks that the files of GCC's ABI share.
#pragma once

#include "abi/api.hpp"
#include "abi/dependences.hpp"
#include "abi/gomp/region.hpp"
#include "base/line.hpp"
#include "team/task.hpp"

namespace vicino::gomp {

// Flags of GOMP_task and GOMP_taskloop.
enum TaskFlag : unsigned {
  kFinal = 1 << 1,
  kDepend = 1 << 3,
  kPriority = 1 << 4,
  kUp = 1 << 8,
  kGrainsize = 1 << 9,
  kIf = 1 << 10,
  kNogroup = 1 << 11,
  kReduction = 1 << 12,
  kDetach = 1 << 13,
  kStrict = 1 << 14,
};

using Copy = void (*)(void* to, void* from);

// The data of a task that runs at once may lie on the stack if they are small.
constexpr long kMostOnStack = 256;
constexpr bool fits_on_stack(long bytes, long align) noexcept {
  return bytes <= kMostOnStack && align <= long{kLine};
}

inline void* align_up(void* pointer, uintptr_t align) noexcept {
  return reinterpret_cast<void*>((reinterpret_cast<uintptr_t>(pointer) + align - 1) & ~(align - 1));
}

// Makes a task of `function` with room for its data, which are to be filled in before it is
// generated.
team::Task& make_task(team::Member& member, Function function, long bytes, long align,
                      unsigned flags, int priority);
// Makes a task of `function` with a copy of the data; firstprivate data may need a constructor.
// `event` is where the handle goes if the task has a detach clause.
team::Task& make_task(team::Member& member, Function function, void* data, Copy copy, long bytes,
                      long align, unsigned flags, int priority, void* event = nullptr);

// The dependences of a list as gcc lays it out.
abi::Dependences dependences_of(void* const* list);
// Waits for the tasks that such a list names.
void wait_for(void** list);

}  // namespace vicino::gomp

VICINO_API void GOMP_task(vicino::gomp::Function function, void* data, void (*copy)(void*, void*),
                          long bytes, long align, bool deferrable, unsigned flags, void** depend,
                          int priority, void* event);
VICINO_API void GOMP_taskwait_depend_nowait(void** depend);
