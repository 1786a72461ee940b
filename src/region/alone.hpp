// alone.hpp: combined constructs that the primary thread may begin alone (sync/late_start.hpp).
//
// gcc compiles `parallel sections`, and `parallel for` with schedule(dynamic) or schedule(guided),
// into a call that says that the region's body is this one construct. All of its work is handed out
// on demand, so OpenMP leaves open how much each thread gets, and the program cannot tell whether a
// member that finds no work left has begun at all. omp_get_num_threads() gives the size that was
// asked for in either case.
//
// The tuner compares the two ways of beginning for each region. docs/design/regions.md has the
// measurements, and says why this would not be safe for other regions.
#pragma once

#include "region/tuned_region.hpp"

namespace vicino::region {

// Whether the primary thread may begin regions like this one alone, if it calls the members up before the
// region ends.
bool may_call_later(const Member& parent) noexcept;
// Whether a region that this member meets may be begun by the primary thread alone.
bool may_begin_alone(const Member& parent, const Request& request) noexcept;
// How the region should begin: alone if the choice is one thread. The result has a site if this execution is
// timed.
TunedPlan choose_alone(const void* function, int size);

}  // namespace vicino::region
