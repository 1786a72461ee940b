// affinity.hpp: what a thread tells about where it runs (OMP_DISPLAY_AFFINITY and its routines), and
// the place of one whose program has only regions of one thread.
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

// A program all of whose regions have one thread, as a rank of an MPI program may, is bound all the
// same. Further threads of the program are not bound: all of them would go to the first place.
void place_alone(Member& initial);
// The place of the calling thread's member, -1 if it has none. Where threads are bound to places, the program's first
// thread goes to its place when it asks: that costs nothing at the start of a program that does not ask, and its first
// region would send it there.
int place_of(Member& member);

// The calling thread's fields in `format`; an empty one means affinity-format-var.
std::string describe_affinity(Member& member, std::string_view format);

// Writes describe_affinity() as a line to standard output.
void display_affinity(Member& member, std::string_view format);

}  // namespace vicino::region
