// run.hpp: `vicino run`: a program on Vicino, in this process's place.
#pragma once

#include "environment.hpp"
#include "program.hpp"

namespace vicino::cli {

// `program` has at least a name. Comes back only by a Failure, with a shell's status.
[[noreturn]] void run_on_vicino(const Words& program, Environment environment);

// Has the program say so if it has nothing to explain or to learn (VICINO_PROCESS): it has this
// process's number, and what it starts has not.
void expect_report(Environment& environment);

}  // namespace vicino::cli
