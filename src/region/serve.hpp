// serve.hpp: what a thread that Vicino made does all its life.
#pragma once

#include "team/worker.hpp"

namespace vicino::region {

using team::Member;
using team::self;
using team::Team;
using team::Worker;

// `worker`: the thread's Worker. Never returns; the type is that of a thread's main function.
void* serve(void* worker);

// Unmakes the teams that the thread leads; their workers return to the pool. Outside of regions.
void dissolve_teams(Worker& worker);
// The team, whose only user is the calling thread, has no region any more.
void drop_vertices(Worker& worker, Team& team) noexcept;

}  // namespace vicino::region
