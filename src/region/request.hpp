// request.hpp: what is asked of a region that a member meets.
#pragma once

#include "team/team.hpp"
#include "topo/bind.hpp"

namespace vicino::region {

using team::Member;

// What a region's clauses ask for.
struct Request {
  int threads = 0;  // num_threads clause; 0: none
  bool has_bind = false;
  topo::Bind bind = topo::Bind::kFalse;
  // All of the region's work is handed out as threads ask for it (alone.hpp).
  bool on_demand = false;
};

// The largest team that fork() may make for this request.
inline int most_members(const Member& parent, int requested) noexcept {
  if (parent.team->active_level >= parent.icvs->max_active_levels) return 1;
  return std::min(requested > 0 ? requested : parent.icvs->nthreads, team::kMaxTeam);
}

}  // namespace vicino::region
