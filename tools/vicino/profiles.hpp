// profiles.hpp: what the commands that read profiles share.
#pragma once

#include <string>

#include "program.hpp"
#include "tune/profile.hpp"

namespace vicino::cli {

// Throws Failure for a file that is no profile.
tune::Profile read_profile(const std::string& file);

// This machine's, as profiles name it.
std::string this_machine();

// Of the positional words of `command`, the one file.
const std::string& the_file(const Words& files, const std::string& command);

}  // namespace vicino::cli
