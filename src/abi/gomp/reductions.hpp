// reductions.hpp: GCC's task reductions, as loops, sections and taskloops take part in them.
#pragma once

#include <stdint.h>

#include "team/team.hpp"

namespace vicino::gomp {

// The compiler's description of the variables: see reductions.cpp.
void begin_group_reductions(team::Member& member, uintptr_t* data);
// The construct has no tasks: the compiled code is to add nothing up.
void mark_unused(uintptr_t* data);

// A worksharing construct begins that has a reduction clause with the task modifier, or needs
// memory that its members share; each may be null.
void begin_worksharing(team::Member& member, uintptr_t* reductions, void** memory);

}  // namespace vicino::gomp
