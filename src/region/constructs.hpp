// constructs.hpp: barriers, single, copyprivate and reductions of a team.
#pragma once

#include "team/worker.hpp"

namespace vicino::region {

using team::Member;
using team::Reduction;
using team::Team;

// The calling thread, whose member this is, waits for its team.
void barrier(Member& member);
// A member has reached the end of a region, which may have been cancelled.
void end_cancellable(Member& member);
// The same, and a tool may watch it.
void end_special_part(Member& member);
inline void end_part(Member& member) {
  if (!member.team->icvs.is_plain()) [[unlikely]]
    end_special_part(member);
}

// True for the one member of the team that is to run this `single`.
inline bool take_single(Member& member) noexcept {
  Team& team = *member.team;
  const uint64_t mine = member.met.singles++;
  return team.size == 1 || team.singles.take(mine, team.size);
}

// copyprivate: the member that ran the single gives its data; the others wait for it. The data stay
// until the next barrier of all members. The event count is set to that barrier's number, which is
// larger each time. Plain `copy_data` is ordered by it (G1 and G2 of sync/event_count.hpp).
inline void give_copy(Member& member, void* data) noexcept {
  member.team->copy_data = data;
  member.team->copy.advance(member.generation + 1);
}
inline void* get_copy(Member& member) noexcept {
  const sync::Waiting waiting = member.waiting();
  member.team->copy.wait_for(member.generation + 1, waiting.patience, waiting.limits);
  return member.team->copy_data;
}

// `atomic_possible`: the compiler has made code for an atomic reduction. `blocking`: the members wait
// for the result; large teams may wait for each other anyway. The settings force a way, or ask for the
// deterministic one: the tree, whose order depends only on the team's size and places.
Reduction choose_reduction(const Member& member, bool atomic_possible, bool blocking) noexcept;

using Combine = void (*)(void* into, void* from);

// All members give their data. Member 0 gets true, and its data then hold the result. The data of
// the other members are in use until let_go(), which all members call: the others at once, member 0
// when it has used the result. gather() orders these plain data (B1 and B2 of sync/barrier.hpp).
bool reduce_tree(Member& member, void* data, Combine combine) noexcept;
inline void let_go(Member& member) noexcept { barrier(member); }

}  // namespace vicino::region
