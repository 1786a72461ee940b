// announce.hpp: what a region and its members say as they begin: to the user, where they run
// (OMP_DISPLAY_AFFINITY); to a tool, that they are there (OMPT). Only if TeamOptions::announces.
#pragma once

#include "team/team.hpp"

namespace vicino::region {

using team::Member;
using team::Team;

// The team is set up. `asked`: for how many threads a clause or the construct asks; 0: none does. `function`: the
// region's code; null where a team of one does not know it.
void announce_region(Team& team, int asked, const void* function);

// By each member, if the team has `announce`.
void announce(Member& member);

}  // namespace vicino::region
