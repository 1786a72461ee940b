#include "event/regions.hpp"

#include "event/start.hpp"
#include "event/work.hpp"
#include "team/worker.hpp"

namespace vicino::event {

using ompt::Endpoint;
using ompt::Event;
using ompt::State;
using ompt::Sync;
using ompt::TaskRecord;
using ompt::tell;
using ompt::ThreadRecord;

void thread_begins(Worker& worker, ompt::ThreadKind kind) noexcept {
  ompt::thread = &worker.record;
  worker.record.state = State::kIdle;
  if (is_on()) tell(Event::kThreadBegin, kind, &worker.record.data);
}

void thread_ends(Worker& worker) noexcept {
  if (is_on()) tell(Event::kThreadEnd, &worker.record.data);
}

namespace {

// The league that the thread runs, if any.
thread_local constinit ompt::TeamRecord* league = nullptr;

// An initial task of a program's thread is told as number 1 of 1, as OMPT has it.
constexpr unsigned kOfThread = 1;

void begin_initial_task(Member& member, ompt::TeamRecord& team, unsigned teams,
                        unsigned number) noexcept {
  TaskRecord& task = member.record;
  task = {};
  task.flags = ompt::kInitialTask;
  task.team = &team;
  task.below = task.encounters = ompt::thread->task;
  task.team_size = static_cast<int>(teams);
  task.thread = static_cast<int>(number);
  ompt::thread->task = &task;
  ompt::thread->state = State::kSerial;
  tell(Event::kImplicitTask, Endpoint::kBegin, &team.data, &task.data, teams, number, task.flags);
}

void end_initial_task(Member& member) noexcept {
  TaskRecord& task = member.record;
  end_open_work(task);
  tell(Event::kImplicitTask, Endpoint::kEnd, static_cast<ompt::Data*>(nullptr), &task.data, 0u,
       static_cast<unsigned>(task.thread), task.flags);
  ompt::thread->task = task.below;
  if (task.below != nullptr) ompt::thread->state = state_in(*task.below);
}

}  // namespace

void root_begins(Member& member) noexcept {
  thread_begins(*member.worker, ompt::ThreadKind::kInitial);
  member.team->record = {};
  begin_initial_task(member, member.team->record, 1, kOfThread);
}

void root_ends(Member& member) noexcept {
  if (is_on()) end_initial_task(member);
  thread_ends(*member.worker);
}

void after_fork(Member& initial) noexcept {
  if (!is_on()) return;
  Worker& worker = *initial.worker;
  ompt::thread = &worker.record;
  if (initial.record.team == nullptr)
    begin_initial_task(initial, initial.team->record, 1, kOfThread);
  worker.record.task = &initial.record;
  worker.record.state = State::kSerial;
}

void parallel_begins(Team& team, int threads) noexcept {
  ThreadRecord& thread = *ompt::thread;
  TaskRecord& task = *thread.task;
  team.record = {};
  team.record.size = team.size;
  team.record.flags = ompt::kTeam | ompt::kInvokedByRuntime;
  team.record.caller = thread.caller;
  team.record.encounters = &task;
  enter_runtime(task, thread.caller.frame);
  if (!is_on()) return;
  tell(Event::kParallelBegin, &task.data, &task.frame, &team.record.data,
       static_cast<unsigned>(threads), team.record.flags, thread.caller.address);
}

void parallel_ends(Team& team) noexcept {
  TaskRecord& task = *team.record.encounters;
  leave_runtime(task);
  ompt::thread->state = state_in(task);
  if (!is_on()) return;
  tell(Event::kParallelEnd, &team.record.data, &task.data, team.record.flags,
       team.record.caller.address);
}

void implicit_task_begins(Member& member) noexcept {
  implicit_task_ends(member);
  TaskRecord& task = member.record;
  Team& team = *member.team;
  task = {};
  task.flags = ompt::kImplicitTask | (team.size == 1 ? ompt::kUndeferred : 0u);
  task.team = &team.record;
  task.thread = member.id;
  task.team_size = team.size;
  task.encounters = team.record.encounters;
  task.below = ompt::thread->task;
  task.frame.exit.pointer = __builtin_frame_address(0);
  ompt::thread->task = &task;
  ompt::thread->state = state_in(task);
  ompt::thread->caller = team.record.caller;
  if (!is_on()) return;
  tell(Event::kImplicitTask, Endpoint::kBegin, &team.record.data, &task.data,
       static_cast<unsigned>(team.size), static_cast<unsigned>(member.id), task.flags);
}

void implicit_task_ending(Member& member) noexcept {
  TaskRecord& task = member.record;
  task.frame = {};
  task.is_ending = true;
  ompt::thread->state = State::kParallelBarrier;
  if (!is_on()) return;
  end_open_work(task);
  const void* const caller = member.id == 0 ? task.team->caller.address : nullptr;
  for (const Event event : {Event::kSyncRegion, Event::kSyncRegionWait})
    tell(event, Sync::kParallelBarrier, Endpoint::kBegin, &task.team->data, &task.data, caller);
}

// The primary thread may have begun the team's next region meanwhile, so the team is not looked at by
// other threads.
void implicit_task_ends(Member& member) noexcept {
  TaskRecord& task = member.record;
  if (!task.is_ending) return;
  task.is_ending = false;
  if (is_on()) {
    ompt::Data* const none = nullptr;
    const void* const caller = member.id == 0 ? task.team->caller.address : nullptr;
    for (const Event event : {Event::kSyncRegionWait, Event::kSyncRegion})
      tell(event, Sync::kParallelBarrier, Endpoint::kEnd, none, &task.data, caller);
    tell(Event::kImplicitTask, Endpoint::kEnd, none, &task.data,
         static_cast<unsigned>(task.team_size), static_cast<unsigned>(task.thread), task.flags);
  }
  ompt::thread->task = task.below;
  ompt::thread->state = task.below != nullptr ? state_in(*task.below) : State::kIdle;
}

void initial_task_begins(Member& member) noexcept {
  if (!is_on()) return;
  const team::Icvs& icvs = member.team->icvs;
  member.team->record = {};
  begin_initial_task(member,
                     league != nullptr ? *league : member.team->record,
                     static_cast<unsigned>(icvs.league_size), static_cast<unsigned>(icvs.team_num));
}

void initial_task_ends(Member& member) noexcept {
  if (is_on()) end_initial_task(member);
}

void League::begin(int teams) noexcept {
  if (!is_on() || ompt::thread == nullptr) return;
  ThreadRecord& thread = *ompt::thread;
  TaskRecord& task = *thread.task;
  record_.size = teams;
  record_.flags = ompt::kLeague | ompt::kInvokedByRuntime;
  record_.caller = thread.caller;
  record_.encounters = &task;
  around_ = league;
  league = &record_;
  enter_runtime(task, thread.caller.frame);
  tell(Event::kParallelBegin, &task.data, &task.frame, &record_.data, static_cast<unsigned>(teams),
       record_.flags, record_.caller.address);
}

void League::end() noexcept {
  league = around_;
  leave_runtime(*record_.encounters);
  tell(Event::kParallelEnd, &record_.data, &record_.encounters->data, record_.flags,
       record_.caller.address);
}

}  // namespace vicino::event
