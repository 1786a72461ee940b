// start.hpp: a tool is looked for and started (ompt::start()), and ends (OMPT).
#pragma once

namespace vicino::event {

bool has_tool() noexcept;

// Ends the tool, if there is one: from here on nothing is told.
void finalize_tool() noexcept;

// In a child of fork(): a search by another thread will not come to its end.
void forget_search() noexcept;

}  // namespace vicino::event
