// mold.hpp: parallel regions whose number of threads the tuner chooses, where it may: with dyn-var
// (OMP_DYNAMIC, omp_set_dynamic()) or VICINO_MOLD=regions, at the outermost level, and never
// against a num_threads clause.
//
// What a region takes of something other than time its members count, each in its part of the
// team's meter, from where it begins to where it comes to the end:
//  P1 the primary thread starts the meter before it releases the team, and adds the parts up after
//     it has gathered it (F1 and F2 of fork.cpp); each of the others has left its part before.
//  P2 tasks that are about when a member comes to the end may be run by one that has left its part.
//     Who made them is in their epoch yet, so it knows of them, and what it counted is not known
//     then: of such a region nothing is recorded, but by the machine's counter.
// Other regions pay nothing: the workers of one that is counted are called by another function.
#pragma once

#include <cstdint>

#include "tune/site_tuner.hpp"

namespace vicino::team {

struct Call;
struct Member;
struct Request;
class Team;
class TunedSite;

// A region under way that is timed; its team holds it.
struct MoldedRegion {
  TunedSite* site = nullptr;
  tune::Choice choice;
  uint64_t start = 0;
};

// Whether the tuner has a say in a region that this member meets.
bool may_mold(const Member& parent, const Request& request) noexcept;
// How the region is to be run that could have `most` > 1 threads; without a site if as it is.
MoldedRegion mold(const void* function, int most);

// The team is ready for that region, its primary thread about to release it. Gives what the others
// are to call.
Call begin_molded(Team& team, const MoldedRegion& molded, const Call& call);
// A member of such a region has come to its end: before it waits for the others.
void leave_molded(Member& member);
// The region of this team, which was begun so, has ended.
void end_molded(Team& team) noexcept;

}  // namespace vicino::team
