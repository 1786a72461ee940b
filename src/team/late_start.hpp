// late_start.hpp: calls the members up to a region that its primary thread has begun alone
// (sync/late_start.hpp). region/alone.hpp says which regions begin alone.
#pragma once

#include "team/team.hpp"

namespace vicino::team {

// The member that watches running regions while it waits for the next one.
inline constexpr int kWatcher = 1;

// Each construct in which a member may wait for another, or has work for others, begins with this: if the primary
// thread has begun the region alone, it calls the members up. A construct that leaves it out waits for the
// watcher's next look.
void call_late_members(Team& team);
inline void need_all(Member& member) {
  if (member.id == 0 && member.team->was_begun_alone()) [[unlikely]]
    call_late_members(*member.team);
}
// Whether the caller, the primary thread, has to call them up with call_up_now(). Until then it may write the
// team; if another thread has called them up, they read it already (L3 of sync/late_start.hpp).
bool begin_calling(Team& team) noexcept;
void call_up_now(Team& team);
// The watcher calls this before it sleeps. True if it has called the members up, itself included.
bool watch(Member& watcher);

}  // namespace vicino::team
