// run.hpp: `vicino run`: a program on Vicino, in this process's place.
#pragma once

#include "environment.hpp"
#include "program.hpp"

namespace vicino::cli {

// `program` has at least a name. Comes back only by a Failure, with a shell's status.
[[noreturn]] void run_on_vicino(const Words& program, Environment environment);

}  // namespace vicino::cli
