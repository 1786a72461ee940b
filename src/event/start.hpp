// start.hpp: a tool is looked for and started, and ends (OMPT).
#pragma once

#include "ompt/tool.hpp"

namespace vicino::event {

// Looks for a tool and starts it, unless that was done before. Whether a tool watches.
bool start() noexcept;

// For functions that come after is_watched(). An acquire: a thread that comes here for the first time when the tool
// has started, and so has no need to wait for that, sees what its start has written (S3 of start.cpp).
[[gnu::cold]] inline bool is_on() noexcept {
  return ompt::watch.load(std::memory_order_acquire) == ompt::kOn || start();
}

// Ends the calling thread for the tool, then the tool: what ompt_finalize_tool() and omp_pause_stop_tool do.
void shut_down_tool() noexcept;
// Tells the tool of the end of the calling thread and of the threads that wait for work, as far as they are in no
// region. The layer `region`, which knows that, sets it when the library is loaded.
using EndThreads = void (*)() noexcept;
inline constinit EndThreads end_threads = nullptr;

// In a child of fork(): a search by another thread will not come to its end.
void forget_search() noexcept;

}  // namespace vicino::event
