#include "event/sync.hpp"

#include <utility>

#include "event/start.hpp"

namespace vicino::event {

using ompt::Endpoint;
using ompt::Event;
using ompt::Mutex;
using ompt::State;
using ompt::Sync;
using ompt::tell;
namespace {

State state_of(Sync kind) noexcept {
  switch (kind) {
    case Sync::kExplicitBarrier:
      return State::kExplicitBarrier;
    case Sync::kWorkshareBarrier:
      return State::kWorkshareBarrier;
    case Sync::kTaskwait:
      return State::kTaskwait;
    case Sync::kTaskgroup:
      return State::kTaskgroup;
    default:
      return State::kImplementationBarrier;
  }
}

State state_of(Mutex kind) noexcept {
  switch (kind) {
    case Mutex::kCritical:
      return State::kCritical;
    case Mutex::kAtomic:
      return State::kAtomic;
    case Mutex::kOrdered:
      return State::kOrdered;
    default:
      return State::kLock;
  }
}

uint64_t id_of(const void* lock) noexcept { return reinterpret_cast<uintptr_t>(lock); }
const void* caller() noexcept { return ompt::thread->caller.address; }

void tell_sync(Event event, Sync kind, Endpoint endpoint, TaskRecord& task,
               const void* address) noexcept {
  tell(event, kind, endpoint, &task.team->data, &task.data, address);
}

}  // namespace

void next_barrier_is(Sync kind) noexcept { ompt::thread->barrier = kind; }

void Waiting::begin(Sync kind) noexcept {
  if (!is_on() || ompt::thread == nullptr) return;
  ompt::ThreadRecord& thread = *ompt::thread;
  task_ = thread.task;
  kind_ = kind;
  if (kind == Sync::kNone) {
    kind_ = std::exchange(thread.barrier, Sync::kNone);
    if (kind_ == Sync::kNone) kind_ = Sync::kImplementationBarrier;
    end_open_work(*task_);
  }
  caller_ = thread.caller;
  state_ = thread.state;
  enter_runtime(*task_, caller_.frame);
  if (kind_ != Sync::kTaskgroup)
    tell_sync(Event::kSyncRegion, kind_, Endpoint::kBegin, *task_, caller_.address);
  thread.state = state_of(kind_);
  tell_sync(Event::kSyncRegionWait, kind_, Endpoint::kBegin, *task_, caller_.address);
}

// An untied task may have gone on at another thread; then the record of this thread is the right one all the
// same.
void Waiting::end() noexcept {
  ompt::thread->caller = caller_;
  tell_sync(Event::kSyncRegionWait, kind_, Endpoint::kEnd, *task_, caller_.address);
  ompt::thread->state = state_;
  tell_sync(Event::kSyncRegion, kind_, Endpoint::kEnd, *task_, caller_.address);
  leave_runtime(*task_);
}

void taskgroup_begins() noexcept {
  if (is_on())
    tell_sync(Event::kSyncRegion, Sync::kTaskgroup, Endpoint::kBegin, *ompt::thread->task,
              caller());
}

void reduction_begins() noexcept {
  if (!is_on()) return;
  ompt::thread->task->is_reducing = true;
  tell_sync(Event::kReduction, Sync::kReduction, Endpoint::kBegin, *ompt::thread->task, caller());
}
void reduction_ends() noexcept {
  if (!is_on() || !std::exchange(ompt::thread->task->is_reducing, false)) return;
  tell_sync(Event::kReduction, Sync::kReduction, Endpoint::kEnd, *ompt::thread->task, caller());
}

void mutex_acquire(Mutex kind, const void* lock, unsigned hint) noexcept {
  if (!is_on()) return;
  tell(Event::kMutexAcquire, kind, hint, ompt::kMutexImplementation, id_of(lock), caller());
  ompt::thread->state = state_of(kind);
  ompt::thread->wait_id = id_of(lock);
}
void mutex_acquired(Mutex kind, const void* lock) noexcept { mutex_tested(kind, lock, true); }
void mutex_tested(Mutex kind, const void* lock, bool got) noexcept {
  ompt::thread->state = state_in(*ompt::thread->task);
  ompt::thread->wait_id = 0;
  if (got && is_on()) tell(Event::kMutexAcquired, kind, id_of(lock), caller());
}
void mutex_released(Mutex kind, const void* lock) noexcept {
  if (is_on()) tell(Event::kMutexReleased, kind, id_of(lock), caller());
}
void lock_init(Mutex kind, const void* lock, unsigned hint) noexcept {
  if (is_on())
    tell(Event::kLockInit, kind, hint, ompt::kMutexImplementation, id_of(lock), caller());
}
void lock_destroy(Mutex kind, const void* lock) noexcept {
  if (is_on()) tell(Event::kLockDestroy, kind, id_of(lock), caller());
}
void nest_lock(Endpoint endpoint, const void* lock) noexcept {
  if (is_on()) tell(Event::kNestLock, endpoint, id_of(lock), caller());
}

int control_tool(int command, int modifier, void* argument, int without) noexcept {
  using Control = int (*)(uint64_t command, uint64_t modifier, void* argument, const void* caller);
  const auto function = reinterpret_cast<Control>(ompt::callback(Event::kControlTool));
  if (!is_on() || function == nullptr) return without;
  TaskRecord& task = *ompt::thread->task;
  enter_runtime(task, ompt::thread->caller.frame);
  const int answer =
      function(static_cast<uint64_t>(command), static_cast<uint64_t>(modifier), argument, caller());
  leave_runtime(task);
  return answer;
}

void flush() noexcept {
  if (is_on()) tell(Event::kFlush, &ompt::thread->data, caller());
}

void error(ompt::Severity severity, const char* message, size_t length) noexcept {
  if (is_on()) tell(Event::kError, severity, message, length, caller());
}

}  // namespace vicino::event
