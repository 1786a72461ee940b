// affinity.hpp: what a thread tells of where it runs (OMP_DISPLAY_AFFINITY and its routines).
#pragma once

#include <string>
#include <string_view>

#include "team/team.hpp"

namespace vicino::team {

// affinity-format-var; from OMP_AFFINITY_FORMAT at first. Of the whole process.
std::string affinity_format();
void set_affinity_format(std::string_view format);

// The calling thread's fields in `format`; an empty one means affinity-format-var.
std::string describe_affinity(const Member& member, std::string_view format);

// The same as a line on standard output.
void display_affinity(const Member& member, std::string_view format);

}  // namespace vicino::team
