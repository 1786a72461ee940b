// late_start.hpp: calls the members up to a region that its primary thread has begun alone
// (sync/late_start.hpp). region/alone.hpp says which regions begin alone.
#pragma once

#include "team/team.hpp"

namespace vicino::team {

// The member that watches running regions while it waits for the next one.
inline constexpr int kWatcher = 1;

// The primary thread calls this when the region needs its members: it has tasks, or a barrier.
void call_late_members(Team& team);
// Whether the caller, the primary thread, has to call them up with call_up_now(). Until then it may write the
// team; if another thread has called them up, they read it already (L3 of sync/late_start.hpp).
bool begin_calling(Team& team) noexcept;
void call_up_now(Team& team);
// The watcher calls this before it sleeps. True if it has called the members up, itself included.
bool watch(Member& watcher);

}  // namespace vicino::team
