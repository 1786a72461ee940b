// fork.hpp: parallel regions begin and end.
#pragma once

#include <cstdint>

#include "region/request.hpp"
#include "team/call.hpp"

namespace vicino::team {
class Contention;
struct Icvs;
}  // namespace vicino::team

namespace vicino::region {

using team::Call;

// Runs call.run(member, call) on each member of a new team; the calling thread is member 0. Returns
// when all members have finished. A serialised region has a team of one.
void fork(const Call& call, const Request& request);

// The two halves of fork(), for callers that run member 0's part themselves in between.
Member& begin_region(const Call& call, const Request& request);
void end_region();

// Begins a region of one thread, whatever was asked for.
Member& begin_serial(uint32_t site);

// Begins and ends, on the calling thread, the initial task of another contention group: `group`,
// which lives as long as it. It is at level 0, has a copy of these ICVs, and counts as no region.
Member& begin_initial(team::Contention& group, const team::Icvs& icvs);
void end_initial();

}  // namespace vicino::region
