// out_of_memory.hpp: the last line of a process that has no memory for what Vicino needs.
#pragma once

namespace vicino {

// From now on such a process says so, and aborts. Otherwise the C++ library inside Vicino would report a
// std::bad_alloc, which tells the user nothing. For errors of another kind nothing changes.
void say_when_out_of_memory() noexcept;

}  // namespace vicino
