// program.hpp: the program that is to be run: where it is, why another runtime cannot be put in.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "environment.hpp"

namespace vicino::cli {

using Words = std::vector<std::string>;

// Where execvp would find it. Throws Failure with the status that a shell gives: 127 if it is not
// there, 126 if it cannot be executed.
std::filesystem::path find_program(const std::string& name);

// Why the dynamic loader will not put another library into this program; nothing if it will, or if
// it is a script, whose interpreter inherits the environment.
std::optional<std::string> refuses_preload(const std::filesystem::path& program);

// Replaces this process. Comes back only by a Failure, with a shell's status.
[[noreturn]] void execute(const Words& command, Environment& environment);

// The message and status for errno `error` of an attempt to execute `name`.
[[noreturn]] void cannot_execute(const std::string& name, int error);

// For people and for a shell: words that need it are quoted.
std::string quoted(const Words& command);

}  // namespace vicino::cli
