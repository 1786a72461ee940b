// taskwait.hpp: taskwait and the end of a taskgroup, which are the same for both compilers.
#pragma once

namespace vicino::abi {

int taskwait();  // returns 0, as one compiler wants it
void end_taskgroup();

}  // namespace vicino::abi
