// inquiry.hpp: the functions by which a tool asks the runtime (OMPT).
#pragma once

#include <cstdint>

#include "ompt/records.hpp"

namespace vicino::event {

// The function of this name; null if there is none.
ompt::InterfaceFunction lookup(const char* name);

// A number that nothing else in the process has; not 0.
uint64_t unique_id() noexcept;

// Ends the calling thread for the tool, then the tool: what ompt_finalize_tool() and omp_pause_stop_tool do. Defined
// in region/roots.cpp.
void shut_down_tool() noexcept;

}  // namespace vicino::event
