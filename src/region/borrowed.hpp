// borrowed.hpp: regions whose teams have members on cores that other ranks lend (lend/lending.hpp).
//
// The members beyond the rank's own share are the ones on borrowed cores. A member whose core was
// wanted back during a region goes on running on the share; the next region is smaller.
#pragma once

#include "team/team.hpp"

namespace vicino::region {

using team::Member;

// How many of `wanted` threads a region gets if dyn-var is true or cores may be lent: at most as many
// as there are CPUs for it.
int limited_size(const Member& parent, int wanted) noexcept;

// Puts the members of the team, which is ready to begin, on their cores.
void place_guests(team::Team& team);
// At the end of a region that borrows.
void look_at_borrowed() noexcept;

// vicino_lend(), vicino_reclaim() and vicino_lend_until().
int lend_cores();
void reclaim_cores();
int lend_until(int (*done)(void*), void* argument, const void* where);

}  // namespace vicino::region
