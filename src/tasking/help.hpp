// help.hpp: what a waiting member asks of its team's tasks.
#pragma once

#include <cstdint>

namespace vicino::team {
struct Member;
}
namespace vicino::task {
class PendingCount;
}

namespace vicino::tasking {

// Whether some source of tasks seems to hold one, whoever may run it, or the member is counted at
// work. Reads only.
bool may_find(const team::Member& member) noexcept;
// Runs a task if one may run here; false if there was none. `awaited`: if the member owns what it waits
// for, it ends its look when that is 0.
bool help(team::Member& member, const task::PendingCount* awaited = nullptr) noexcept;
// Whether there is such a task; a member asks before it sleeps.
bool work_waits(team::Member& member) noexcept;
// Counts the sleep, and gives back memory that other threads may need meanwhile.
void prepare_to_sleep(team::Member& member) noexcept;
// The longest sleep of a member, in ns. It is woken for what it waits for, but has to look for late
// tasks (ready.cpp) itself.
uint64_t longest_sleep(const team::Member& member) noexcept;

}  // namespace vicino::tasking
