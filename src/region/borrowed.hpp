// borrowed.hpp: regions whose teams have members on cores that other ranks lend (lend/lending.hpp).
//
// The members beyond the rank's own share are the ones on borrowed cores. A member whose core was
// wanted back during a region goes on running on the share; the next region is smaller.
#pragma once

#include <optional>

#include "team/team.hpp"

namespace vicino::region {

using team::Member;

struct Request;

// A region that begins while nothing is lent cannot borrow then. The initial thread of a rank of one core
// watches whether cores are lent while such regions run (lend/late.hpp). Where they are, and it pays, the
// next such region gets a team of two, and the primary thread begins it alone (alone.hpp). At each chunk of
// its loop it looks whether a core is free; if so it borrows it, and calls the other member up there. Where it
// may come to wait for the member, it calls it up in any case: at the region's end, at a barrier, for a
// reduction by a tree, with a task, an ordered or a second loop, or a task graph. The body may also wait in a
// way that the runtime does not see, as for a variable. Then the watcher calls the members up, and so it does
// in each region that lasts (sync/late_start.hpp). A loop whose schedule is left to Vicino is `ich`, so that
// the late member finds work.
//
// Not    for ranks of several cores: their teams would be begun in two parts, for which the hand-over
//        (sync/handover.hpp) and the barrier have no form.

// How many of `wanted` threads a region gets if dyn-var is true or cores may be lent: at most as many
// as there are CPUs for it.
int limited_size(const Member& parent, int wanted) noexcept;

// Puts the members of the team, which is ready to begin, on their cores.
void place_guests(team::Team& team);

// The threads of a region that has one member of its own and may get one on a borrowed core.
inline constexpr int kPrimaryAndGuest = 2;

// How a region that would have one thread begins, if it may borrow a core while it runs: with one thread, or
// with room for a late member.
std::optional<team::Beginning> begin_borrower(const Member& parent, const Request& request,
                                              const void* function);
// Calls the late member up if there is a core for it; true if so.
bool join_late(Member& primary);
void end_borrower(const Member& primary) noexcept;

// When they have been called up.
void tell_called() noexcept;
// At the end of a region that borrows.
void look_at_borrowed() noexcept;

// vicino_lend(), vicino_reclaim() and vicino_lend_until(), where ranks may lend.
int lend_cores(const Member& caller);
void reclaim_cores();
int lend_until(const Member& caller, int (*done)(void*), void* argument, const void* where);

}  // namespace vicino::region
