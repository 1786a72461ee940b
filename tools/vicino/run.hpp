// run.hpp: `vicino run`: replaces this process with a program on Vicino.
#pragma once

#include "environment.hpp"
#include "program.hpp"

namespace vicino::cli {

// `program` has at least a name. Throws Failure, with a shell's status, if it cannot be executed.
[[noreturn]] void run_on_vicino(const Words& program, Environment environment);

// Runs the program in a child, with this variable and expect_report(). Returns its exit status, as a shell has it. Throws
// Failure if no process can be made; `command` is named then.
int run_beside(std::string_view command, const Words& program, const std::string& variable,
               const std::string& value);

// Makes the program say so if it has nothing to explain or to learn (VICINO_PROCESS): only the
// program itself has this process's number, the processes that it starts have not.
void expect_report(Environment& environment);

}  // namespace vicino::cli
