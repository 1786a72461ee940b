// linked_files.hpp: the files that a program is linked from: itself, and the libraries that it
// needs, directly or through others, where the dynamic loader would find them.
#pragma once

#include <filesystem>
#include <functional>

#include "base/elf.hpp"
#include "environment.hpp"

namespace vicino::cli {

// Calls visit() for the program, and for libraries up to a few levels away, until it returns true.
// Whether it did.
bool any_linked_file(
    const std::filesystem::path& program, const Environment& environment,
    const std::function<bool(const std::filesystem::path& file, const Needs& needs)>& visit);

}  // namespace vicino::cli
