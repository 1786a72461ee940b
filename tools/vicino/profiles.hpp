// profiles.hpp: what the commands that read profiles share.
#pragma once

#include <string>

#include "program.hpp"
#include "tune/profile.hpp"

namespace vicino::cli {

// Throws Failure for a file that is no profile.
tune::Profile read_profile(const std::string& file);

// Replaces places that are no lines of source, as those of programs by gcc, where debug information tells the line.
void name_lines(tune::Profile& profile);

// The identity of this machine, as profiles name it.
std::string this_machine();

// The one file among the positional words of `command`. Throws Failure if there is not exactly one.
const std::string& the_file(const Words& files, const std::string& command);

}  // namespace vicino::cli
