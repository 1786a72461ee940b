// slack.hpp: the loop for which a wait for other processes counts.
//
// Why    A rank of an MPI program waits outside of its loops. A loop whose static part depends on
//        that (StaticFraction::kSlack) has to be found from there.
// How    The member that comes first to such a loop leaves word with the team's primary thread,
//        which is the thread that waits after the region. The last loop before a wait counts.
// Memory order: the release (1) pairs with the acquire (2), so a thread that finds the words of a loop
// finds them made. They live as long as the process, and what is added to them is relaxed, for
// they are hints (loop/history.hpp).
#pragma once

#include "loop/registry.hpp"

namespace vicino::team {

class Team;

namespace detail {
void note_slack_taker(const Team& team, const loop::Row& row, const loop::Plan& plan) noexcept;
}

// `plan` has what its call site remembers. Called by one member of the team.
inline void note_slack_taker(const Team& team, const loop::Row& row,
                             const loop::Plan& plan) noexcept {
  if (!plan.history.empty()) detail::note_slack_taker(team, row, plan);
}

// The calling thread, or if it is in a region its team, waited for other processes.
void add_slack(uint64_t ns) noexcept;

}  // namespace vicino::team
