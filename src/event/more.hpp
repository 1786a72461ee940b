// more.hpp: what a tool is told of that OpenMP has no event for (docs/reference/tools.md).
#pragma once

#include "ompt/tool.hpp"

namespace vicino::event {

// All that follows is for code that has found out that a tool watches.

// The thread has taken a task that waited at member `from` of its team; `level`: of topo::Distance.
void stolen(int from, unsigned level) noexcept;
// The construct at `caller` runs by this schedule on so many threads, as the tuner has chosen.
void decided(const void* caller, const char* schedule, int threads) noexcept;
// The same for the taskloop that the present task has just come to. Returns where that is; null without a tool.
const void* taskloop_decided(const char* schedule, int threads) noexcept;
// The region that begins next on this thread runs this function.
void region_runs(const void* function) noexcept;
void pages_moved(const char* what) noexcept;

// The program has come to a part of its own, or leaves it.
void named(ompt::Endpoint endpoint, const char* name) noexcept;

// Whether taskloops run as without a tool: by crews (tasking/ilan.hpp), whose members make the tasks that they run. A tool
// that does not ask for crews expects all tasks of a taskloop from the thread that meets it.
bool is_told_of_crews() noexcept;
// The thread is a member of the crew of the taskloop at `caller`: a crew of so many threads, in a near domain of the
// machine; -1: its threads are not bound. The tasks that it makes from here on are that taskloop's.
void crew_begins(const void* caller, int threads, int domain) noexcept;
void crew_ends() noexcept;

// The thread has called a function that waits for other processes, or leaves it. `name` lives as long as the process.
// `bytes`: that it has sent or received.
void communication_begins(const char* name, const void* caller) noexcept;
void communication_ends(uint64_t bytes) noexcept;

}  // namespace vicino::event
