// run.hpp: `vicino run`: replaces this process with a program on Vicino.
#pragma once

#include "environment.hpp"
#include "program.hpp"

namespace vicino::cli {

// `program` has at least a name. Throws Failure, with a shell's status, if it cannot be executed.
[[noreturn]] void run_on_vicino(const Words& program, Environment environment);

// Makes the program say so if it has nothing to explain or to learn (VICINO_PROCESS): only the
// program itself has this process's number, the processes that it starts have not.
void expect_report(Environment& environment);

}  // namespace vicino::cli
