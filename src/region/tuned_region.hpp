// tuned_region.hpp: parallel regions whose number of threads the tuner chooses. It may do so with
// dyn-var (OMP_DYNAMIC, omp_set_dynamic()) or VICINO_MOLD=regions, at the outermost level, and
// never against a num_threads clause. With dyn-var, a region among other processes gets what room they
// leave (room.hpp), and the tuner chooses from that.
//
// Where the objective is something other than time, the members count what a region takes, each in
// a part of its own (site/metering.hpp), from the region's beginning to its end:
//  P1 the primary thread starts the timing before it releases the team, and adds the parts up after
//     it has gathered the team (F1 and F2 of fork.cpp); each other member has left its part before.
//  P2 tasks that exist when a member comes to the region's end may be run by a member that has left
//     its part. The member that made them is still in their epoch, so it knows of them, and does
//     not leave its part: its count stays unknown. So such a region is not recorded, unless one
//     counter counts the whole machine.
// Other regions pay nothing: only the workers of a counted region are called by another function.
#pragma once

#include <cstdint>

#include "team/team.hpp"
#include "tune/choice.hpp"

namespace vicino::site {
class TunedConstruct;
}

namespace vicino::region {

using team::Call;
using team::Member;
using team::Team;

struct Request;

// What the tuner has chosen for a region.
struct TunedPlan {
  site::TunedConstruct* site = nullptr;  // null: the execution is not timed
  tune::Begun begun;
  uint64_t start = 0;
};

// Whether the tuner has a say in a region that this member meets.
bool may_tune(const Member& parent, const Request& request) noexcept;
// How a region that could have `most` > 1 threads is to run. Without a site the tuner changes
// nothing.
TunedPlan choose_threads(const void* function, int most);

// The team is ready for such a region, and its primary thread is about to release it. Returns the
// call for the other members; it lives as long as the region.
const Call& begin_tuned_region(Team& team, const TunedPlan& plan, const Call& call);
// A member of such a region has come to the region's end, and does not wait for the others yet.
void leave_tuned_region(Member& member);
// The team's region, which was begun so, has ended.
void end_tuned_region(Team& team) noexcept;

}  // namespace vicino::region
