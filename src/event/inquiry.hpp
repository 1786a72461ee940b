// inquiry.hpp: the functions by which a tool asks the runtime (OMPT).
#pragma once

#include <cstdint>

#include "ompt/records.hpp"

namespace vicino::event {

// The function of this name; null if there is none.
ompt::InterfaceFunction lookup(const char* name);

// A number that nothing else in the process has; not 0.
uint64_t unique_id() noexcept;

}  // namespace vicino::event
