// reductions.hpp: GCC's task reductions, for loops, sections and taskloops.
#pragma once

#include <stdint.h>

#include "team/team.hpp"

namespace vicino::gomp {

// `data` is the compiler's description of the variables: see reductions.cpp.
void begin_group_reductions(team::Member& member, uintptr_t* data);
// The construct has no tasks: the compiled code must not add anything up.
void mark_unused(uintptr_t* data);

// Begins a worksharing construct that has a reduction clause with the task modifier, or needs
// memory that its members share; either argument may be null.
void begin_worksharing(team::Member& member, uintptr_t* reductions, void** memory);

}  // namespace vicino::gomp
