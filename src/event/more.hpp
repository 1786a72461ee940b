// more.hpp: what a tool is told of that OpenMP has no event for (docs/reference/tools.md).
#pragma once

#include "ompt/tool.hpp"

namespace vicino::event {

// All that follows is for code that has found out that a tool watches.

// The thread has taken a task that waited at member `from` of its team; `level`: of topo::Distance.
void stolen(int from, unsigned level) noexcept;
// The construct at `caller` runs by this schedule on so many threads, as the tuner has chosen.
void decided(const void* caller, const char* schedule, int threads) noexcept;
// The region that begins next on this thread runs this function.
void region_runs(const void* function) noexcept;
void pages_moved(const char* what) noexcept;

// The program has come to a part of its own, or leaves it.
void named(ompt::Endpoint endpoint, const char* name) noexcept;

}  // namespace vicino::event
