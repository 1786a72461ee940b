// affinity.hpp: what a thread tells about where it runs (OMP_DISPLAY_AFFINITY and its routines).
#pragma once

#include <string>
#include <string_view>

#include "team/team.hpp"

namespace vicino::region {

using team::Member;
using team::Team;
using team::Worker;

// affinity-format-var, one for the whole process. Its initial value is OMP_AFFINITY_FORMAT's.
std::string affinity_format();
void set_affinity_format(std::string_view format);

// The calling thread's fields in `format`; an empty one means affinity-format-var.
std::string describe_affinity(const Member& member, std::string_view format);

// Writes describe_affinity() as a line to standard output.
void display_affinity(const Member& member, std::string_view format);

}  // namespace vicino::region
