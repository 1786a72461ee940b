// mold.hpp: parallel regions whose number of threads the tuner chooses, where it may: with dyn-var
// (OMP_DYNAMIC, omp_set_dynamic()) or VICINO_MOLD=regions, at the outermost level, and never
// against a num_threads clause.
#pragma once

#include <cstdint>

#include "tune/site_tuner.hpp"

namespace vicino::team {

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

// The region of this team, which was begun so, has ended.
void end_molded(Team& team) noexcept;

}  // namespace vicino::team
