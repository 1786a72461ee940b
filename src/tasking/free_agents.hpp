// free_agents.hpp: threads of no team run tasks that have the clause threadset(omp_pool) (OpenMP 6.0, sections 14.8
// and 14.14).
//
// What   A free agent is a thread of the pool. It has a Member of its own, with a number that no member of a team
//        has and the team of the task that it runs: so the task finds its ICVs, its level and its team's size, and
//        takes part in the team's waiting and its termination detector.
// Where  A task for free agents lies in the team's queue, where members also find it. Its priority is
//        Task::kForAgents.
// Others A free agent runs no task but those, not even if it has made it: programs count on the thread's number in
//        other tasks. They lie in the team's queue, too; a free agent counts as the holder of a lock
//        (CallBudget::hold_lock()), so it makes no calls. While it waits within a task it takes tasks that descend from
//        that one.
// How many  as OMP_NUM_THREADS leaves beside the threads that are in the regions around, or as OMP_THREADS_RESERVE
//        asks for; and never more than OMP_THREAD_LIMIT allows.
// Not    for teams whose regions may be cancelled, that a tool watches or that lend cores, nor for tasks in a group
//        that reduces variables: the team's threads run those. The standard leaves that open.
// Sleep  No member knows of a free agent, so none wakes it for a task. One that waits within a task sleeps for
//        kAgentSleepNs at most.
// See    task/free_agents.hpp: a free agent touches no team that has gone, and no task is missed.
//
// Memory order
//  E1 `shown_epoch` and `shown_termination` are relaxed. A member writes them before it puts its task into the queue,
//     whose lock publishes them to the free agent that takes the task. All members that show tasks write the same
//     values as long as a task that was shown is not done, for the epoch is not over.
//  E2 a free agent adds itself to TeamTasks::agents before it takes a task, and takes itself out, by a release, when
//     it has left the team; await_agents() of serving.cpp reads the number by an acquire.
#pragma once

#include <cstdint>

#include "team/team.hpp"

namespace vicino::config {
struct ThreadLimits;
}

namespace vicino::tasking {

using team::Member;
using team::Task;
using team::Team;

// omp_unassigned_thread, as Intel's and LLVM's headers have it.
inline constexpr int kAgent = -2;
// How long a free agent sleeps that waits within a task.
inline constexpr uint64_t kAgentSleepNs = 1'000'000;

inline bool is_agent(const Member& member) noexcept { return member.id == kAgent; }
// Whether the member is a free agent, or the primary thread of a region that a free agent has met.
bool is_free_agent(const Member& member) noexcept;

// How many threads the team's contention group may have, free agents among them.
config::ThreadLimits limits_of(const Team& team) noexcept;
// How many free agents there may be beside the team.
int agents_beside(const Team& team) noexcept;
// Whether the task, which the member has made and not spawned yet, is to be offered to free agents.
// If it may be run by them and is not to be offered, it is a task like others from now on.
bool goes_to_agents(Member& member, Task& task) noexcept;
// Shows the task to free agents: it is in the team's queue then.
void show_to_agents(Member& member, Task& task);
// The region is over, and no task of it is left.
void close_to_agents(Team& team) noexcept;
inline void end_hosting(Team& team) noexcept {
  if (team.tasks.is_host.load(std::memory_order_relaxed)) [[unlikely]]
    close_to_agents(team);
}

// Where each thread that may run the tasks of a construct has something of its own, in an array:
// how many places there are, and which the member has. `maker` has met the construct; if that is a
// free agent, no other one runs tasks of the construct.
inline int places_for(const Member& maker) noexcept {
  return maker.team->size + (is_agent(maker) ? 1 : 0);
}
inline int place_of(const Member& member) noexcept {
  return is_agent(member) ? member.team->size : member.id;
}

// For fork().
void hold_agents() noexcept;
void release_agents() noexcept;
void forget_agents() noexcept;

}  // namespace vicino::tasking
