// late_start.hpp: a team's primary thread begins a region alone, and the members are called up later if they are
// needed (late_region.hpp). region/alone.hpp and region/borrowed.hpp say which regions begin so.
#pragma once

#include "team/team.hpp"

namespace vicino::team {

// The member that watches running regions while it waits for the next one.
inline constexpr int kWatcher = 1;

// The primary thread begins the region, but does not call the members up. False if not all of them listen yet:
// then the caller has to call them up. `may_close`: the region may end without them.
bool begin_alone(Team& team, Beginning how, const Call& call, bool may_close);
// The primary thread is at the region's end. True if it has been alone all the time, and the region may
// end so; otherwise the members have been called up.
bool end_alone(Team& team);

// Each construct in which a member may wait for another, or has work for others, begins with this: if the primary
// thread has begun the region alone, it calls the members up. A construct that leaves it out waits for the
// watcher's next look.
void call_late_members(Team& team);
inline void need_all(Member& member) {
  if (member.id == 0 && member.team->late.was_begun_alone()) [[unlikely]]
    call_late_members(*member.team);
}
// Whether the caller, the primary thread, has to call them up with call_up_now(). If so, it may write the team until
// then; if another thread has called them up, they read it already (L3 of sync/late_start.hpp).
bool begin_calling(Team& team) noexcept;
void call_up_now(Team& team);
// The watcher calls this before it sleeps. True if it has called the members up, itself included.
bool watch(Team& team);

}  // namespace vicino::team
