// repeated.hpp: VICINO_TASKGRAPH=site: tasks of a sequence that the program has generated before are
// held back, and run as a graph (graph/repeats.hpp).
//
// Rule   This is for the tasks that an implicit task generates with depend clauses, in a team of
//        several. A task that is held back counts as generated: what waits for it waits. Nothing
//        is held back while the member waits at a barrier, a taskwait, the end of a taskgroup or a
//        taskyield, or generates a task that it does not defer.
// Not    for other means of waiting: docs/reference/graphs-api.md.
// Refused with the whole site: detach, untied tasks, priorities, omp_all_memory; and programs for
//        which cancellation is on.
#pragma once

#include <span>

#include "task/depend.hpp"
#include "team/member.hpp"

namespace vicino::graph {
class TaskGraph;
}

namespace vicino::tasking {

using team::Member;
using team::Task;

// True if the task, whose function is task.function, is held back now.
bool hold_back(Member& member, Task& task, std::span<const task::Dependence> dependences,
               bool deferrable);

// The member is about to wait: the tasks that it holds back are run, or can be run from now on.
void let_go(Member& member);

// Runs a graph by the present team. body() runs `count` tasks; `code` identifies them. The layer `region` sets it when
// the library is loaded.
using RunGraph = void (*)(graph::TaskGraph& graph, const void* code,
                          int (*body)(const uint32_t* tasks, size_t count, void* data), void* data);
inline constinit RunGraph run_graph = nullptr;

}  // namespace vicino::tasking
