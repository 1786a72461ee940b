// out_of_memory.hpp: the last line of a process that has no memory for what Vicino needs.
#pragma once

namespace vicino {

// From now on such a process says so, and aborts: the C++ library of Vicino's own would name an exception
// of which the program knows nothing. For errors of another kind nothing changes.
void say_when_out_of_memory() noexcept;

}  // namespace vicino
