#include "abi/watched.hpp"

#include <vector>

#include "abi/doacross.hpp"
#include "event/sync.hpp"
#include "event/tasks.hpp"
#include "event/work.hpp"
#include "region/constructs.hpp"
#include "region/locks.hpp"
#include "region/loops.hpp"
#include "tasking/dependences.hpp"
#include "tasking/recording.hpp"
#include "tasking/tasks.hpp"
#include "team/worker.hpp"

namespace vicino::abi {
namespace {

ompt::DependenceType type_of(task::Access access) {
  using ompt::DependenceType;
  switch (access) {
    case task::Access::kIn:
      return DependenceType::kIn;
    case task::Access::kMutex:
      return DependenceType::kMutexinoutset;
    case task::Access::kSet:
      return DependenceType::kInoutset;
    case task::Access::kMemory:
      return DependenceType::kOutAllMemory;
    default:
      return DependenceType::kInout;
  }
}

std::vector<ompt::Dependence> told(Dependences& dependences) {
  std::vector<ompt::Dependence> list;
  for (const task::Dependence& one : dependences.span())
    list.push_back(
        {{.pointer = const_cast<void*>(one.address)}, static_cast<int>(type_of(one.access))});
  return list;
}

}  // namespace

void tell_created(team::Member& member, team::Task& task, unsigned flags, Dependences dependences) {
  event::task_created(member, task, flags, !dependences.span().empty());
  if (!dependences.span().empty()) event::dependences(task, told(dependences));
}

void tell_taskloop_task(team::Member& member, team::Task& task, uint64_t start,
                        uint64_t iterations) {
  event::task_created(member, task, 0, false);
  task.record().chunk = {start, iterations};
}

bool tell_single(bool mine) {
  if (mine)
    event::work_begins(ompt::Work::kSingle, 1);
  else
    event::single_is_left_out();
  return mine;
}

void watched_barrier(ompt::Sync kind) {
  event::next_barrier_is(kind);
  region::barrier(region::me());
}

void watched_take(ompt::Mutex kind, sync::ForkedLock& lock, unsigned hint) {
  event::mutex_acquire(kind, &lock, hint);
  if (kind == ompt::Mutex::kAtomic)
    region::take(lock);
  else
    region::enter_critical(lock);
  event::mutex_acquired(kind, &lock);
}

void watched_release(ompt::Mutex kind, sync::ForkedLock& lock) {
  if (kind == ompt::Mutex::kAtomic)
    lock.release();
  else
    region::leave_critical(lock);
  event::mutex_released(kind, &lock);
}

void watched_enter_ordered(team::Member& member) {
  event::mutex_acquire(ompt::Mutex::kOrdered, member.team);
  region::enter_ordered(member);
  event::mutex_acquired(ompt::Mutex::kOrdered, member.team);
}
void watched_leave_ordered(team::Member& member) {
  region::leave_ordered(member);
  event::mutex_released(ompt::Mutex::kOrdered, member.team);
}

void tell_doacross(ompt::DependenceType type, const region::Doacross& nest,
                   std::span<const int64_t> values) {
  const int64_t* at = values.data();
  if (nest.sink_of([&] { return *at++; }) == loop::kNoIteration) return;
  std::vector<ompt::Dependence> list;
  for (const int64_t value : values)
    list.push_back({{.value = static_cast<uint64_t>(value)}, static_cast<int>(type)});
  event::dependences_of_present_task(list);
}

void watched_taskwait() {
  team::Member& member = region::me();
  tasking::record_wait(member);
  const event::Waiting waiting(ompt::Sync::kTaskwait);
  tasking::wait_for_children(member);
}

void watched_wait_for(team::Member& member, Dependences& dependences) {
  tasking::record_wait_for(member, dependences.span());
  const event::Taskwait taskwait(told(dependences));
  tasking::wait_for_dependences(member, dependences.span());
}

}  // namespace vicino::abi
