#include "event/inquiry.hpp"

#include <sched.h>
#include <string.h>

#include <algorithm>

#include "ompt/tool.hpp"
#include "team/places.hpp"
#include "team/procs.hpp"
#include "team/worker.hpp"

namespace vicino::event {

using ompt::Data;
using ompt::Frame;
using ompt::InterfaceFunction;
using ompt::State;
using ompt::TaskRecord;
using ompt::TeamRecord;
namespace {

struct Named {
  int number;
  const char* name;
};

constexpr Named kStates[] = {
    {static_cast<int>(State::kSerial), "ompt_state_work_serial"},
    {static_cast<int>(State::kParallel), "ompt_state_work_parallel"},
    {static_cast<int>(State::kReduction), "ompt_state_work_reduction"},
    {static_cast<int>(State::kParallelBarrier), "ompt_state_wait_barrier_implicit_parallel"},
    {static_cast<int>(State::kWorkshareBarrier), "ompt_state_wait_barrier_implicit_workshare"},
    {static_cast<int>(State::kExplicitBarrier), "ompt_state_wait_barrier_explicit"},
    {static_cast<int>(State::kImplementationBarrier), "ompt_state_wait_barrier_implementation"},
    {static_cast<int>(State::kTaskwait), "ompt_state_wait_taskwait"},
    {static_cast<int>(State::kTaskgroup), "ompt_state_wait_taskgroup"},
    {static_cast<int>(State::kLock), "ompt_state_wait_lock"},
    {static_cast<int>(State::kCritical), "ompt_state_wait_critical"},
    {static_cast<int>(State::kAtomic), "ompt_state_wait_atomic"},
    {static_cast<int>(State::kOrdered), "ompt_state_wait_ordered"},
    {static_cast<int>(State::kIdle), "ompt_state_idle"},
};

constexpr Named kMutexImplementations[] = {
    {static_cast<int>(ompt::kMutexImplementation), "vicino_mutex_polls_then_sleeps"},
};

// Gives what follows `current` in the list, or the list's first entry if `current` is `before_first`.
template <size_t kCount>
int enumerate(const Named (&list)[kCount], int before_first, int current, int* next,
              const char** name) {
  const Named* at = std::ranges::find(list, current, &Named::number);
  if (current == before_first)
    at = list;
  else if (at != std::end(list))
    ++at;
  if (at == std::end(list)) return 0;
  *next = at->number;
  *name = at->name;
  return 1;
}

int enumerate_states(int current, int* next, const char** name) {
  return enumerate(kStates, static_cast<int>(State::kUndefined), current, next, name);
}
int enumerate_mutex_impls(int current, int* next, const char** name) {
  constexpr int kNone = 0;
  return enumerate(kMutexImplementations, kNone, current, next, name);
}

using ompt::Event;

// Whether such events are told; some only where the compiled code calls the runtime at all.
ompt::SetResult support(int event) {
  switch (static_cast<Event>(event)) {
    case Event::kThreadBegin:
    case Event::kThreadEnd:
    case Event::kParallelBegin:
    case Event::kParallelEnd:
    case Event::kTaskCreate:
    case Event::kTaskSchedule:
    case Event::kImplicitTask:
    case Event::kControlTool:
    case Event::kSyncRegionWait:
    case Event::kSyncRegion:
    case Event::kMutexReleased:
    case Event::kMutexAcquire:
    case Event::kMutexAcquired:
    case Event::kLockInit:
    case Event::kLockDestroy:
    case Event::kNestLock:
    case Event::kDependences:
    case Event::kCancel:
    case Event::kError:
    case Event::kNamed:
      return ompt::SetResult::kAlways;
    case Event::kTaskDependence:
    case Event::kTarget:
    case Event::kTargetEmi:
    case Event::kWork:
    case Event::kMasked:
    case Event::kFlush:
    case Event::kReduction:
    case Event::kDispatch:
    case Event::kAsleep:
    case Event::kStolen:
    case Event::kDecided:
    case Event::kPagesMoved:
    case Event::kRegionCode:
    case Event::kCrew:
    case Event::kGraph:
    case Event::kAggregate:
    case Event::kCommunication:
    case Event::kLent:
      return ompt::SetResult::kSometimes;
  }
  constexpr int kLast = ompt::kEvents - 1;
  return event > 0 && event <= kLast ? ompt::SetResult::kNever : ompt::SetResult::kError;
}

int set_callback(int event, InterfaceFunction function) {
  const ompt::SetResult result = support(event);
  if (result >= ompt::SetResult::kSometimes)
    ompt::set_callback(static_cast<Event>(event), function);
  return static_cast<int>(result);
}

int get_callback(int event, InterfaceFunction* function) {
  if (support(event) < ompt::SetResult::kSometimes) return 0;
  const InterfaceFunction found = ompt::callback(static_cast<Event>(event));
  if (found != nullptr) *function = found;
  return found != nullptr;
}

Data* get_thread_data() { return ompt::has_tool() && ompt::thread ? &ompt::thread->data : nullptr; }

int get_state(uint64_t* wait_id) {
  if (!ompt::has_tool() || ompt::thread == nullptr) return static_cast<int>(State::kSerial);
  if (wait_id != nullptr) *wait_id = ompt::thread->wait_id;
  return static_cast<int>(ompt::thread->state);
}

// The ancestors of a task, as OMPT counts them, are the tasks on its thread's stack; those of an implicit task
// begin with the task that has met its region.
TaskRecord* around(const TaskRecord& task) {
  return (task.flags & ompt::kExplicitTask) != 0 ? task.below : task.encounters;
}

// The task that lies `level` tasks around the present one; null if there is none.
TaskRecord* task_at(int level) {
  if (!ompt::has_tool() || ompt::thread == nullptr || level < 0) return nullptr;
  TaskRecord* task = ompt::thread->task;
  for (; task != nullptr && level > 0; --level) task = around(*task);
  return task;
}

enum Found : int { kNothing = 0, kUnavailable = 1, kFound = 2 };

int get_task_info(int level, int* flags, Data** data, Frame** frame, Data** parallel_data,
                  int* thread) {
  TaskRecord* const task = task_at(level);
  if (task == nullptr) return kNothing;
  const bool initial = (task->flags & ompt::kInitialTask) != 0;
  if (flags != nullptr) *flags = static_cast<int>(task->flags);
  if (data != nullptr) *data = &task->data;
  if (frame != nullptr) *frame = &task->frame;
  if (parallel_data != nullptr)
    *parallel_data = task->team == nullptr ? nullptr : &task->team->data;
  if (thread != nullptr) *thread = initial ? 0 : task->thread;
  return kFound;
}

// The team that lies `level` regions around the present one.
int get_parallel_info(int level, Data** data, int* size) {
  TaskRecord* task = task_at(0);
  if (task == nullptr || level < 0) return kNothing;
  for (; level > 0; --level) {
    const TeamRecord* const team = task->team;
    while (task != nullptr && task->team == team) task = around(*task);
    if (task == nullptr) return kNothing;
  }
  if (data != nullptr) *data = &task->team->data;
  if (size != nullptr) *size = task->team->size;
  return kFound;
}

// A task's data are one block; the others of 0 and following numbers do not exist.
int get_task_memory(void** address, size_t* size, int block) {
  const TaskRecord* const task = task_at(0);
  const bool has = task != nullptr && block == 0;
  *address = has ? task->memory : nullptr;
  *size = has ? task->memory_size : 0;
  return 0;  // there are no more blocks
}

int get_num_procs() { return team::usable_cpus(); }

int get_num_places() { return ompt::has_tool() ? team::num_places() : 0; }

template <class Numbers>
int copy_first(const Numbers& numbers, int room, int* to) {
  int count = 0;
  for (const int number : numbers) {
    if (count < room) to[count] = number;
    ++count;
  }
  return count;
}

int get_place_proc_ids(int place, int room, int* ids) {
  if (place < 0 || place >= get_num_places()) return 0;
  std::vector<int> cpus;
  const CpuSet& its = team::places()[place];
  for (int cpu = its.first(); cpu >= 0; cpu = its.next(cpu)) cpus.push_back(cpu);
  return copy_first(cpus, room, ids);
}

int get_place_num() { return ompt::has_tool() && team::self ? team::self->bound.place : -1; }

int get_partition_place_nums(int room, int* numbers) {
  if (!ompt::has_tool() || team::self == nullptr) return 0;
  const topo::Partition its = team::places_in(team::self->partition);
  std::vector<int> places;
  for (int i = 0; i < its.size; ++i) places.push_back(its.first + i);
  return copy_first(places, room, numbers);
}

int get_proc_id() { return ompt::has_tool() && ompt::thread != nullptr ? sched_getcpu() : -1; }

// There are no operations on data, so the last number, of one, is always 0.
int get_target_info(uint64_t* device, uint64_t* target, uint64_t* operation) {
  if (!ompt::has_tool() || ompt::thread == nullptr || ompt::thread->target == 0) return 0;
  *device = 0;  // the host
  *target = ompt::thread->target;
  *operation = 0;
  return 1;
}
int get_num_devices() { return 1; }  // the host

struct Entry {
  const char* name;
  InterfaceFunction function;
};

template <class Function>
Entry entry(const char* name, Function* function) {
  return {name, reinterpret_cast<InterfaceFunction>(function)};
}

}  // namespace

// Each thread counts in a range of its own, so that a tool's threads share no counter. LLVM's tests
// rely on that: they print a number as a hexadecimal one and read it as a decimal one, which needs
// small counts.
uint64_t unique_id() noexcept {
  constexpr int kCountBits = 40;
  static constinit plat::atomic<uint64_t> ranges{0};
  static constinit thread_local uint64_t last = 0;
  // Relaxed: only that no two threads get the same range matters.
  if (last == 0) last = (ranges.fetch_add(1, std::memory_order_relaxed) + 1) << kCountBits;
  return ++last;
}

InterfaceFunction lookup(const char* name) {
  const Entry entries[] = {
      entry("ompt_enumerate_states", enumerate_states),
      entry("ompt_enumerate_mutex_impls", enumerate_mutex_impls),
      entry("ompt_set_callback", set_callback),
      entry("ompt_get_callback", get_callback),
      entry("ompt_get_state", get_state),
      entry("ompt_get_thread_data", get_thread_data),
      entry("ompt_get_parallel_info", get_parallel_info),
      entry("ompt_get_task_info", get_task_info),
      entry("ompt_get_task_memory", get_task_memory),
      entry("ompt_get_unique_id", unique_id),
      entry("ompt_get_num_procs", get_num_procs),
      entry("ompt_get_num_places", get_num_places),
      entry("ompt_get_place_proc_ids", get_place_proc_ids),
      entry("ompt_get_place_num", get_place_num),
      entry("ompt_get_partition_place_nums", get_partition_place_nums),
      entry("ompt_get_proc_id", get_proc_id),
      entry("ompt_get_target_info", get_target_info),
      entry("ompt_get_num_devices", get_num_devices),
  };
  for (const Entry& one : entries)
    if (strcmp(one.name, name) == 0) return one.function;
  return nullptr;
}

}  // namespace vicino::event
