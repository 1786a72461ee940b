// program.hpp: the program to run: where it is, and how this process becomes it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "environment.hpp"

namespace vicino::cli {

using Words = std::vector<std::string>;

// The path at which execvp would find the program. Throws Failure with the status that a shell
// gives: 127 if the program is not there, 126 if it cannot be executed.
std::filesystem::path find_program(const std::string& name);

// Replaces this process with the program. Throws Failure, with a shell's status, if that fails.
[[noreturn]] void execute(const Words& command, Environment& environment);

// Throws Failure with the message and the status for errno `error` of an attempt to execute `name`.
[[noreturn]] void cannot_execute(const std::string& name, int error);

// The command as a line for people and for a shell, with quotes where a word needs them.
std::string quoted(const Words& command);

}  // namespace vicino::cli
