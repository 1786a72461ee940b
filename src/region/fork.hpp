// fork.hpp: parallel regions begin and end.
#pragma once

#include <cstdint>

#include "team/call.hpp"
#include "topo/bind.hpp"

namespace vicino::team {
class Contention;
struct Icvs;
class Worker;
}  // namespace vicino::team

namespace vicino::region {

using team::Call;
using team::Member;
using team::Worker;

// What a region's clauses ask for.
struct Request {
  int threads = 0;  // num_threads clause; 0: none
  bool has_bind = false;
  topo::Bind bind = topo::Bind::kFalse;
  // All of the region's work is handed out as threads ask for it (alone.hpp).
  bool on_demand = false;
};

// How many threads a region met by `parent` gets, by OpenMP's algorithm (5.2, section 10.1.1).
int team_size(const Member& parent, int requested);

// The largest team that fork() may make for this request. The question has no effect.
int most_members(const Member& parent, int requested) noexcept;

// Runs call.run(member, call) on each member of a new team; the calling thread is member 0. Returns
// when all members have finished. A serialised region has a team of one.
void fork(const Call& call, const Request& request);

// The two halves of fork(), for callers that run member 0's part themselves in between.
Member& begin_region(const Call& call, const Request& request);
void end_region();

// Begins a region of one thread, whatever was asked for.
Member& begin_serial(uint32_t site);

// The place of the calling thread, -1 if it has none. Where threads are bound to places, the program's first thread
// goes to its place when it asks: that costs nothing at the start of a program that does not ask, and its first region
// would send it there.
int place_now();

// Begins and ends, on the calling thread, the initial task of another contention group: `group`,
// which lives as long as it. It is at level 0, has a copy of these ICVs, and counts as no region.
Member& begin_initial(team::Contention& group, const team::Icvs& icvs);
void end_initial();

// A member has run its part of a region, which may have been cancelled (cancel.hpp), and that a tool may
// watch.
void end_part(Member& member);

// The calling thread waits for its team.
void barrier(Member& member);

// Unmakes the teams that the thread leads; their workers return to the pool. Outside of regions.
void dissolve_teams(Worker& worker);

}  // namespace vicino::region
